"""All models, for Django; each lives in the folder of its capability."""

from annotator.agreement.models import Agreement, AgreementReport
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
from annotator.annotations.qualification.models import PracticeSettings, Qualification
from annotator.annotations.study.models import StudyDesign
from annotator.common.searches import Search
from annotator.corpora.audit.models import AuditEvent
from annotator.corpora.models import Corpus, Guideline, Invitation, Label, Membership, User
from annotator.corpora.sessions.models import Session
from annotator.gold.models import Adjudication, Gold, Segment
from annotator.gold.reannotation.models import Reannotation, ReannotationPage
from annotator.pages.assets.models import AssetFetch, Look, PageAsset
from annotator.pages.feeds.models import FeedEntry, FollowedFeed
from annotator.pages.imports.models import Import, ImportAddress, ImportFile, ImportRecord
from annotator.pages.models import ClusterLock, ImportedGold, Page, ShingleBand, StoredDocument
from annotator.practice.models import PracticeAttempt, PracticePage
from annotator.quality.bias.models import AdjudicationDelta, BiasReport
from annotator.quality.checks.models import QualityCheck
from annotator.releases.exports.models import Export
from annotator.releases.models import Erratum, GoldCount, Release, ReleasePage, ReleaseTerms, Takedown
from annotator.reparsing.models import Reparse, ReparseJob
from annotator.runs.models import CorpusExtractor, Extraction, Extractor, Run, UploadedOutput
from annotator.scoring.models import LeaderboardVersion, Measurement, Score

__all__ = [
    "Adjudication",
    "AdjudicationDelta",
    "Agreement",
    "AgreementReport",
    "Annotation",
    "AssetFetch",
    "AuditEvent",
    "BiasReport",
    "ClusterLock",
    "Corpus",
    "CorpusExtractor",
    "Erratum",
    "Export",
    "Extraction",
    "Extractor",
    "FeedEntry",
    "FollowedFeed",
    "Gold",
    "GoldCount",
    "Guideline",
    "Import",
    "ImportAddress",
    "ImportFile",
    "ImportRecord",
    "ImportedGold",
    "Invitation",
    "Label",
    "LeaderboardVersion",
    "Look",
    "Measurement",
    "Membership",
    "Page",
    "PageAsset",
    "PracticeAttempt",
    "PracticePage",
    "PracticeSettings",
    "Qualification",
    "QualityCheck",
    "Reannotation",
    "ReannotationPage",
    "RefusedSave",
    "Release",
    "ReleasePage",
    "ReleaseTerms",
    "Reparse",
    "ReparseJob",
    "Revision",
    "Round",
    "Run",
    "Score",
    "Search",
    "Segment",
    "Session",
    "ShingleBand",
    "Skip",
    "Slot",
    "StoredDocument",
    "StudyDesign",
    "Submission",
    "Takedown",
    "Unblinded",
    "UploadedOutput",
    "User",
]
