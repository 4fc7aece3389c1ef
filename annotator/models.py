"""All models, for Django; each lives in the folder of its capability."""

from annotator.agreement.models import Agreement, Report, Tally
from annotator.annotations.models import (
    Annotation,
    RefusedSave,
    Revision,
    Round,
    Skip,
    Slot,
    Submission,
    Unblinded,
)
from annotator.annotations.practice.models import Admission, Practice
from annotator.annotations.study.models import StudyDesign
from annotator.bias.models import BiasReport, Change
from annotator.control.models import Finding
from annotator.corpora.models import Corpus, Guideline, Invitation, Label, Membership, User
from annotator.exports.models import Export
from annotator.gold.models import Adjudication, Gold, Segment
from annotator.imports.models import Import, ImportProblem
from annotator.pages.models import Document, ImportedGold, Page, ShingleBand
from annotator.practice.models import PracticePage, PracticeTry
from annotator.releases.models import Erratum, GoldCount, Release, ReleasePage, Takedown, Terms
from annotator.renewal.models import Renewal, RenewedPage
from annotator.reparsing.models import Move, Reparse
from annotator.runs.models import CorpusExtractor, Extraction, Extractor
from annotator.scoring.models import Measurement, Score

__all__ = [
    "Adjudication",
    "Admission",
    "Agreement",
    "Annotation",
    "BiasReport",
    "Change",
    "Corpus",
    "CorpusExtractor",
    "Document",
    "Erratum",
    "Export",
    "Extraction",
    "Extractor",
    "Finding",
    "Gold",
    "GoldCount",
    "Guideline",
    "Import",
    "ImportProblem",
    "ImportedGold",
    "Invitation",
    "Label",
    "Measurement",
    "Membership",
    "Move",
    "Page",
    "Practice",
    "PracticePage",
    "PracticeTry",
    "RefusedSave",
    "Release",
    "ReleasePage",
    "Renewal",
    "RenewedPage",
    "Reparse",
    "Report",
    "Revision",
    "Round",
    "Score",
    "Segment",
    "ShingleBand",
    "Skip",
    "Slot",
    "StudyDesign",
    "Submission",
    "Takedown",
    "Tally",
    "Terms",
    "Unblinded",
    "User",
]
