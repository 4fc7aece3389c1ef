"""The formats in which gold goes out, with what each is for and what each loses, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.releases.exports import website
from extraction.formats import WRITERS as PLAIN
from extraction.formats.writing import Loss, Writer

WRITERS: dict[str, Writer] = {**PLAIN, "website": website.WRITER}

#: Title and purpose of each, in the order in which the screen lists them.
DESCRIPTIONS: dict[str, tuple[Promise | str, Promise]] = {
    "jsonl": ("JSON Lines", _("All there is, one page a line. Goldpan reads it back.")),
    "csv": ("CSV", _("One row a page, for spreadsheets and pandas.")),
    "parquet": ("Parquet", _("One table in columns, for pandas, Polars, DuckDB and Spark.")),
    "huggingface": ("Hugging Face", _("A folder with its card, for datasets.load_dataset and the Hub.")),
    "croissant": ("Croissant", _("Parquet described by Croissant 1.1, as venues ask for it.")),
    "website": (
        _("Website"),
        _("A folder that any browser opens from disk, and that checks itself: what a paper links to."),
    ),
    "label-studio": (
        "Label Studio",
        _("Tasks with their annotations, and the labelling interface. Goldpan reads it back."),
    ),
    "inception": ("INCEpTION", _("UIMA CAS XMI, named entities as marks. Goldpan reads it back.")),
    "webanno-tsv": (
        "WebAnno TSV",
        _("WebAnno TSV 3, a line a word, for INCEpTION and scripts. Goldpan reads it back."),
    ),
    "web-annotation": (
        "W3C Web Annotation",
        _("JSON-LD with positions and quotes, for annotation servers and clients."),
    ),
    "scrapinghub": ("Scrapinghub", _("The body's text, for the article extraction benchmark.")),
    "wcxb": ("WCXB", _("Headline and body as text, for the Web Content Extraction Benchmark.")),
    "cleaneval": ("CleanEval", _("Headline and body as marked paragraphs, for CleanEval's scorers.")),
    "dragnet": ("Dragnet", _("Content and comments as text, to train and score Dragnet.")),
    "l3s-gn1": (
        "L3S-GN1",
        _("A copy of each page with a class for each label, as Boilerpipe's corpus has it."),
    ),
    "boilernet": (
        "BoilerNet",
        _("A copy of each page with every text as content or boilerplate, to train BoilerNet."),
    ),
}

LOSSES: dict[Loss, Promise] = {
    Loss.NOT_ARTICLES: _("pages that are not articles"),
    Loss.LABELS: _("labels, which are merged or left out"),
    Loss.OFFSETS: _("positions: there is only text"),
    Loss.PAGES: _("the pages as captured"),
    Loss.METADATA: _("language, capture time and other facts about a page"),
    Loss.SPLITS: _("train, dev and test"),
    Loss.FORMULAS: _("the exact beginning of texts that a spreadsheet would run: an apostrophe goes before"),
    Loss.NEIGHBOURS: _("the border between marks that touch"),
    Loss.ELEMENTS: _("marks inside pictures and form fields"),
    Loss.EDGES: _("blanks at the ends of marks"),
    Loss.ANNOTATIONS: _("annotations from before the page was parsed again"),
    Loss.ORDER: _("where comments stand among the content: they come after it"),
}
