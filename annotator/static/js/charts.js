// Charts show their values under the pointer and by the arrow keys, and are saved as PNG, SVG and CSV.
import { watchCharts } from "./elements/charts.js";

watchCharts();
