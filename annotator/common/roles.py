"""Which role may use which route. A route without a row is closed to everybody.

The table says only whether a role may use a route; which page, slot or export of the corpus a user may see is
the business of queries (`..._for(user)`), never of views.
"""

from enum import StrEnum
from typing import NamedTuple


class Access(StrEnum):
    """What a route requires, where that is not a role in the corpus of its path."""

    ANYBODY = "anybody"  # without signing in
    SIGNED_IN = "signed in"
    ANY_ADMIN = "any admin"  # admin of some corpus, or of the whole site
    SUPERUSER = "superuser"
    API = "api"  # with a token; `OPERATIONS` says more


class Scope(StrEnum):
    """What a token of the API lets a program do of all that its person may do."""

    READ = "read"
    IMPORT = "import"
    ADMINISTER = "administer"


ANNOTATOR, ADJUDICATOR, RESEARCHER, ADMIN = "annotator", "adjudicator", "researcher", "admin"
MEMBERS = frozenset({ANNOTATOR, ADJUDICATOR, RESEARCHER, ADMIN})
READERS = frozenset({RESEARCHER, ADMIN})

# Roles that would show an annotator others' marks or gold (invariant 4): nobody holds one of these together
# with ANNOTATOR in a corpus.
NOT_WITH_ANNOTATOR = READERS

# What may change something in an archived corpus: it goes on being read, is restored or cleaned up, and what
# works on it can be stopped.
OPEN_IN_ARCHIVE = frozenset(
    {"corpus-restore", "corpus-delete", "take-down", "export-request", "member-leave", "invitation-revoke"}
    | {"import-pause", "import-cancel", "run-pause", "run-cancel", "export-stop", "release-stop"}
    | {"reannotation-stop", "reparsing-stop", "model-stop", "curve-stop", "jobs-pause"}
)

ROUTES: dict[str, Access | frozenset[str]] = {
    # signing in
    "sign-in": Access.ANYBODY,
    "sign-out": Access.SIGNED_IN,
    "invitation": Access.ANYBODY,
    "password-link": Access.ANYBODY,
    "openid_connect_login": Access.ANYBODY,
    "openid_connect_callback": Access.ANYBODY,
    "mfa_authenticate": Access.ANYBODY,  # whoever has given the right password
    "account_login": Access.ANYBODY,
    "set_language": Access.ANYBODY,
    "javascript-catalog": Access.ANYBODY,
    "alive": Access.ANYBODY,
    "ready": Access.ANYBODY,
    "metrics": Access.ANYBODY,  # the view asks for a token
    # for every user
    "home": Access.SIGNED_IN,
    "new-corpus": Access.ANY_ADMIN,
    "account": Access.SIGNED_IN,
    "account_reauthenticate": Access.SIGNED_IN,
    "mfa_index": Access.SIGNED_IN,
    "mfa_reauthenticate": Access.SIGNED_IN,
    "mfa_activate_totp": Access.SIGNED_IN,
    "mfa_deactivate_totp": Access.SIGNED_IN,
    "mfa_view_recovery_codes": Access.SIGNED_IN,
    "mfa_generate_recovery_codes": Access.SIGNED_IN,
    "account-name": Access.SIGNED_IN,
    "account-password": Access.SIGNED_IN,
    "account-session-end": Access.SIGNED_IN,
    "account-token-make": Access.SIGNED_IN,
    "account-token-revoke": Access.SIGNED_IN,
    "health": Access.SUPERUSER,
    "site-audit-log": Access.SUPERUSER,
    "site-audit-log-file": Access.SUPERUSER,
    "frame": Access.SIGNED_IN,
    "frame-quirks": Access.SIGNED_IN,
    # The views ask for the person and page that the address was made for, and for a role in its corpus.
    "captured-frame": Access.ANYBODY,
    "captured-frame-quirks": Access.ANYBODY,
    "captured-image": Access.ANYBODY,
    # a corpus
    "corpus": READERS,
    "corpus-pages": READERS,
    "attention": frozenset({ADMIN}),
    "attention-retry": frozenset({ADMIN}),
    "styles": READERS,
    "styles-state": READERS,
    "styles-fetch": frozenset({ADMIN}),
    "reparsing": frozenset({ADMIN}),
    "reparsing-state": frozenset({ADMIN}),
    "reparsing-start": frozenset({ADMIN}),
    "reparsing-stop": frozenset({ADMIN}),
    "reparsing-page": frozenset({ADMIN}),
    # the guideline and its example pages: nothing of the corpus's own pages
    "guideline": MEMBERS,
    "guideline-version": MEMBERS,
    "guideline-compare": MEMBERS,
    "guideline-example": MEMBERS,
    "guideline-write": frozenset({ADMIN}),
    # re-annotation of pages that have gold, under another guideline
    "reannotation": frozenset({ADMIN}),
    "reannotation-open": frozenset({ADMIN}),
    "reannotation-state": frozenset({ADMIN}),
    "reannotation-stop": frozenset({ADMIN}),
    "reannotation-resume": frozenset({ADMIN}),
    # settings
    "settings": frozenset({ADMIN}),
    "labels": frozenset({ADMIN}),
    "extractors": frozenset({ADMIN}),
    "extractors-progress": frozenset({ADMIN}),
    "extractor-enable": frozenset({ADMIN}),
    "extractor-disable": frozenset({ADMIN}),
    "extractor-upgrade": frozenset({ADMIN}),
    "extractors-run": frozenset({ADMIN}),
    "jobs": frozenset({ADMIN}),
    "jobs-pause": frozenset({ADMIN}),
    "jobs-csv": frozenset({ADMIN}),
    "jobs-progress": frozenset({ADMIN}),
    "webhooks": frozenset({ADMIN}),
    "webhook-make": frozenset({ADMIN}),
    "webhook-pause": frozenset({ADMIN}),
    "webhook-resume": frozenset({ADMIN}),
    "webhook-remove": frozenset({ADMIN}),
    "danger-zone": frozenset({ADMIN}),
    "corpus-archive": frozenset({ADMIN}),
    "corpus-restore": frozenset({ADMIN}),
    "corpus-delete": frozenset({ADMIN}),
    # people
    "people": frozenset({ADMIN}),
    "invite": frozenset({ADMIN}),
    "invitation-revoke": frozenset({ADMIN}),
    "roles-change": frozenset({ADMIN}),
    "password-reset": frozenset({ADMIN}),
    "member-leave": frozenset({ADMIN}),
    "audit-log": frozenset({ADMIN}),
    "audit-log-file": frozenset({ADMIN}),
    # study settings and quality checks
    "study": frozenset({ADMIN}),
    "quality-checks": frozenset({ADMIN}),
    "practice-setting": frozenset({ADMIN}),
    "practice-waive": frozenset({ADMIN}),
    # annotating: own slots only
    "next": frozenset({ANNOTATOR}),
    "annotate": frozenset({ANNOTATOR}),
    "annotate-view": frozenset({ANNOTATOR}),
    "annotate-reserve": frozenset({ANNOTATOR}),
    "annotate-save": frozenset({ANNOTATOR}),
    "annotate-heartbeat": frozenset({ANNOTATOR}),
    "annotate-submit": frozenset({ANNOTATOR}),
    "annotate-skip": frozenset({ANNOTATOR}),
    "annotate-reopen": frozenset({ANNOTATOR}),
    "own-pages": frozenset({ANNOTATOR}),
    "own-pages-list": frozenset({ANNOTATOR}),
    # practice: own attempts only, and gold of the pages submitted there
    "practice": frozenset({ANNOTATOR}),
    "practice-next": frozenset({ANNOTATOR}),
    "practice-feedback": frozenset({ANNOTATOR}),
    "practice-submit": frozenset({ANNOTATOR}),
    # adjudicating: only pages that the user did not annotate
    "adjudicate-next": frozenset({ADJUDICATOR}),
    "adjudicate": frozenset({ADJUDICATOR}),
    "adjudicate-view": frozenset({ADJUDICATOR}),
    "adjudicate-verdict": frozenset({ADJUDICATOR}),
    "adjudicate-decide": frozenset({ADJUDICATOR}),
    "adjudicate-submit": frozenset({ADJUDICATOR}),
    "adjudicate-defer": frozenset({ADJUDICATOR}),
    "adjudicate-heartbeat": frozenset({ADJUDICATOR}),
    # gold, version by version
    "page-gold": READERS,
    "page-gold-view": READERS,
    "gold-reopen": frozenset({ADMIN}),
    "audits": READERS,
    "audit-share": frozenset({ADMIN}),
    # figures
    "agreement": READERS,
    "agreement-tables": READERS,
    "agreement-report": READERS,
    "agreement-pages": READERS,
    "agreement-sites": READERS,
    "agreement-counts": READERS,
    "suggestion-bias": READERS,
    "suggestion-bias-tables": READERS,
    "suggestion-bias-report": READERS,
    "suggestion-bias-observations": READERS,
    "leaderboard": READERS,
    "leaderboard-version": READERS,
    "leaderboard-csv": READERS,
    "leaderboard-json": READERS,
    "leaderboard-table": READERS,
    "leaderboard-pages": READERS,
    "error-causes": READERS,
    "error-view": READERS,
    "error-view-document": READERS,
    "leaderboard-compare": READERS,
    "leaderboard-all-pairs": READERS,
    "leaderboard-retrieval": READERS,
    "leaderboard-retrieval-csv": READERS,
    "leaderboard-compare-csv": READERS,
    "leaderboard-compare-json": READERS,
    "leaderboard-all-pairs-csv": READERS,
    "leaderboard-all-pairs-json": READERS,
    "leaderboard-retrieval-json": READERS,
    "error-causes-csv": READERS,
    "error-causes-json": READERS,
    "shrink": READERS,
    "shrunk-page": READERS,
    # runs of extractors: the views let those who are no admin change their own runs only
    "runs": READERS,
    "runs-now": READERS,
    "run": READERS,
    "run-state": READERS,
    "run-start": frozenset({ADMIN}),
    "run-upload": READERS,
    "run-report": READERS,
    "run-pause": READERS,
    "run-resume": READERS,
    "run-cancel": READERS,
    # models trained on releases: the views let those who are no admin change their own models only
    "models": READERS,
    "models-now": READERS,
    "model": READERS,
    "model-state": READERS,
    "model-file": READERS,
    "model-start": frozenset({ADMIN}),
    "model-stop": READERS,
    "model-resume": READERS,
    "curve-start": frozenset({ADMIN}),
    "curve-stop": frozenset({ADMIN}),
    # releases
    "releases": READERS,
    "release": READERS,
    "release-state": READERS,
    "release-datasheet": READERS,
    "release-manifest": READERS,
    "releases-compare": READERS,
    "report": READERS,
    "release-create": frozenset({ADMIN}),
    "release-stop": frozenset({ADMIN}),
    "release-terms": frozenset({ADMIN}),
    "release-erratum": frozenset({ADMIN}),
    "near-duplicates": frozenset({ADMIN}),
    "cluster": frozenset({ADMIN}),
    "take-down": frozenset({ADMIN}),
    # imports, and undoing them
    "imports": frozenset({ADMIN}),
    "import": frozenset({ADMIN}),
    "import-start": frozenset({ADMIN}),
    "import-file": frozenset({ADMIN}),
    "import-part": frozenset({ADMIN}),
    "import-ready": frozenset({ADMIN}),
    "import-state": frozenset({ADMIN}),
    "import-preview": frozenset({ADMIN}),
    "import-confirm": frozenset({ADMIN}),
    "import-pause": frozenset({ADMIN}),
    "import-resume": frozenset({ADMIN}),
    "import-cancel": frozenset({ADMIN}),
    "import-undo": frozenset({ADMIN}),
    "import-report": frozenset({ADMIN}),
    "import-addresses": frozenset({ADMIN}),
    # feeds and sitemaps that a corpus follows
    "feed-follow": frozenset({ADMIN}),
    "feed-check": frozenset({ADMIN}),
    "feed-pause": frozenset({ADMIN}),
    "feed-resume": frozenset({ADMIN}),
    "feed-remove": frozenset({ADMIN}),
    # exports
    "exports": frozenset({ADMIN}),
    "export-request": frozenset({ADMIN}),
    "export-state": frozenset({ADMIN}),
    "export-stop": frozenset({ADMIN}),
    "export-file": frozenset({ADMIN}),
    "export-checksum": frozenset({ADMIN}),
}


class Operation(NamedTuple):
    """What an operation of the API requires: a scope of the token, and whatever the route `like` requires.

    So the API opens nothing to anybody that no screen opens to them.
    """

    scope: Scope
    like: str


OPERATIONS: dict[str, Operation] = {
    "get-schema": Operation(Scope.READ, "account"),
    "get-account": Operation(Scope.READ, "account"),
    # extractors, on pages that are stored nowhere
    "list-extractors": Operation(Scope.READ, "account"),
    "extract-page": Operation(Scope.READ, "account"),
    # corpora
    "list-corpora": Operation(Scope.READ, "home"),
    "create-corpus": Operation(Scope.ADMINISTER, "new-corpus"),
    "get-corpus": Operation(Scope.READ, "corpus"),
    # pages
    "list-pages": Operation(Scope.READ, "corpus-pages"),
    "add-page": Operation(Scope.IMPORT, "import-start"),
    "add-rendered-page": Operation(Scope.IMPORT, "import-start"),
    "get-page": Operation(Scope.READ, "corpus-pages"),
    "get-page-text": Operation(Scope.READ, "page-gold-view"),
    "get-page-document": Operation(Scope.READ, "page-gold-view"),
    "get-page-source": Operation(Scope.READ, "export-file"),
    # imports of files and addresses
    "list-imports": Operation(Scope.READ, "imports"),
    "import-files": Operation(Scope.IMPORT, "import-start"),
    "import-addresses": Operation(Scope.IMPORT, "import-addresses"),
    "get-import": Operation(Scope.READ, "import"),
    "start-import": Operation(Scope.IMPORT, "import-confirm"),
    "pause-import": Operation(Scope.IMPORT, "import-pause"),
    "resume-import": Operation(Scope.IMPORT, "import-resume"),
    "cancel-import": Operation(Scope.IMPORT, "import-cancel"),
    # gold and what it was made from
    "list-gold": Operation(Scope.READ, "page-gold"),
    "get-page-gold": Operation(Scope.READ, "page-gold"),
    "list-annotations": Operation(Scope.READ, "agreement-pages"),
    # extractors
    "list-runs": Operation(Scope.READ, "runs"),
    "start-run": Operation(Scope.ADMINISTER, "run-start"),
    "get-run": Operation(Scope.READ, "run"),
    "pause-run": Operation(Scope.ADMINISTER, "run-pause"),
    "resume-run": Operation(Scope.ADMINISTER, "run-resume"),
    "cancel-run": Operation(Scope.ADMINISTER, "run-cancel"),
    "upload-predictions": Operation(Scope.IMPORT, "run-upload"),
    "list-predictions": Operation(Scope.READ, "run-report"),
    # models trained on releases
    "list-models": Operation(Scope.READ, "models"),
    "train-model": Operation(Scope.ADMINISTER, "model-start"),
    "get-model": Operation(Scope.READ, "model"),
    "get-model-file": Operation(Scope.READ, "model-file"),
    "stop-model": Operation(Scope.ADMINISTER, "model-stop"),
    "resume-model": Operation(Scope.ADMINISTER, "model-resume"),
    # scores
    "get-board": Operation(Scope.READ, "leaderboard-json"),
    "list-scores": Operation(Scope.READ, "leaderboard-pages"),
    "get-page-scores": Operation(Scope.READ, "error-view"),
    # jobs, exports, releases
    "list-jobs": Operation(Scope.READ, "jobs"),
    "list-exports": Operation(Scope.READ, "exports"),
    "request-export": Operation(Scope.ADMINISTER, "export-request"),
    "get-export": Operation(Scope.READ, "export-state"),
    "stop-export": Operation(Scope.ADMINISTER, "export-stop"),
    "get-export-file": Operation(Scope.READ, "export-file"),
    "list-releases": Operation(Scope.READ, "releases"),
    "request-release": Operation(Scope.ADMINISTER, "release-create"),
    "get-release": Operation(Scope.READ, "release-state"),
    "stop-release": Operation(Scope.ADMINISTER, "release-stop"),
    "get-release-manifest": Operation(Scope.READ, "release-manifest"),
    # webhooks: a setting
    "list-webhooks": Operation(Scope.READ, "webhooks"),
    "add-webhook": Operation(Scope.ADMINISTER, "webhook-make"),
    "pause-webhook": Operation(Scope.ADMINISTER, "webhook-pause"),
    "resume-webhook": Operation(Scope.ADMINISTER, "webhook-resume"),
    "remove-webhook": Operation(Scope.ADMINISTER, "webhook-remove"),
    "list-deliveries": Operation(Scope.READ, "webhooks"),
}


def route_of_operation(name: str) -> str:
    """Each operation is a route of its own."""
    return f"api-{name}"


ROUTES |= {route_of_operation(name): Access.API for name in OPERATIONS} | {"api-unknown": Access.ANYBODY}
