// What every screen outside the workbench has: its keys, rows to walk through, copying, forms sent once, signing out.
import { watchCopying } from "./dom/copying.js";
import { watchMenus } from "./dom/menus.js";
import { watchOverlays } from "./dom/overlays.js";
import { watchRows } from "./dom/rows.js";
import { watchForms } from "./dom/sent-once.js";
import { watchShortcuts } from "./dom/shortcuts.js";
import { watchTables } from "./dom/tables.js";
import { watchSignOut } from "./elements/sign-out.js";

watchShortcuts();
watchRows();
watchTables();
watchCopying();
watchMenus();
watchOverlays();
watchForms();
watchSignOut();
