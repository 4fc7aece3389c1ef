"""Who may come where: one row for every route. A route without a row is closed to everybody.

The table is the whole answer to "may this role use this route"; which page, slot or export of the corpus a
person may see is then the query's affair (`..._for(user)`), and never a view's.
"""

from enum import StrEnum


class Access(StrEnum):
    """What a route asks of a person, beside the roles of the corpus in its address."""

    ANYBODY = "anybody"  # without signing in
    SIGNED_IN = "signed in"
    SUPERUSER = "superuser"


ANNOTATOR, ADJUDICATOR, RESEARCHER, ADMIN = "annotator", "adjudicator", "researcher", "admin"
MEMBERS = frozenset({ANNOTATOR, ADJUDICATOR, RESEARCHER, ADMIN})
READERS = frozenset({RESEARCHER, ADMIN})

# Roles that would show an annotator the marks of others or gold (law 4): nobody holds one of these and
# ANNOTATOR in the same corpus.
NOT_WITH_ANNOTATOR = READERS

ROUTES: dict[str, Access | frozenset[str]] = {
    # the door
    "sign-in": Access.ANYBODY,
    "sign-out": Access.SIGNED_IN,
    "invitation": Access.ANYBODY,
    "password-link": Access.ANYBODY,
    "set_language": Access.ANYBODY,
    "alive": Access.ANYBODY,
    # everybody's own
    "home": Access.SIGNED_IN,
    "health": Access.SUPERUSER,
    "frame": Access.SIGNED_IN,
    "frame-quirks": Access.SIGNED_IN,
    # a corpus
    "corpus": READERS,
    "corpus-pages": READERS,
    "stuck": frozenset({ADMIN}),
    "stuck-retry": frozenset({ADMIN}),
    "reparsing": frozenset({ADMIN}),
    "reparsing-state": frozenset({ADMIN}),
    "reparsing-start": frozenset({ADMIN}),
    "reparsing-stop": frozenset({ADMIN}),
    "reparsing-page": frozenset({ADMIN}),
    # the guideline, and example pages of our own: nothing of the corpus's pages
    "guideline": MEMBERS,
    "guideline-version": MEMBERS,
    "guideline-compare": MEMBERS,
    "guideline-example": MEMBERS,
    "guideline-write": frozenset({ADMIN}),
    # settled pages, annotated anew under another guideline
    "renewal": frozenset({ADMIN}),
    "renewal-open": frozenset({ADMIN}),
    "renewal-state": frozenset({ADMIN}),
    "renewal-stop": frozenset({ADMIN}),
    "renewal-go-on": frozenset({ADMIN}),
    # people
    "people": frozenset({ADMIN}),
    "invite": frozenset({ADMIN}),
    "invitation-take-back": frozenset({ADMIN}),
    "roles-change": frozenset({ADMIN}),
    "password-reset": frozenset({ADMIN}),
    "member-leave": frozenset({ADMIN}),
    # the design of the study, and what control found
    "study": frozenset({ADMIN}),
    "control": frozenset({ADMIN}),
    "practice-setting": frozenset({ADMIN}),
    "practice-let-through": frozenset({ADMIN}),
    # annotating: only her own slots
    "next": frozenset({ANNOTATOR}),
    "annotate": frozenset({ANNOTATOR}),
    "annotate-view": frozenset({ANNOTATOR}),
    "annotate-reserve": frozenset({ANNOTATOR}),
    "annotate-save": frozenset({ANNOTATOR}),
    "annotate-heartbeat": frozenset({ANNOTATOR}),
    "annotate-submit": frozenset({ANNOTATOR}),
    "annotate-skip": frozenset({ANNOTATOR}),
    "annotate-take-up": frozenset({ANNOTATOR}),
    # practice: only her own tries, and gold of what she has handed in there
    "practice": frozenset({ANNOTATOR}),
    "practice-next": frozenset({ANNOTATOR}),
    "practice-feedback": frozenset({ANNOTATOR}),
    "practice-submit": frozenset({ANNOTATOR}),
    # settling: only pages that she did not annotate
    "adjudicate-next": frozenset({ADJUDICATOR}),
    "adjudicate": frozenset({ADJUDICATOR}),
    "adjudicate-view": frozenset({ADJUDICATOR}),
    "adjudicate-verdict": frozenset({ADJUDICATOR}),
    "adjudicate-decide": frozenset({ADJUDICATOR}),
    "adjudicate-settle": frozenset({ADJUDICATOR}),
    "adjudicate-later": frozenset({ADJUDICATOR}),
    "adjudicate-heartbeat": frozenset({ADJUDICATOR}),
    # what was settled, version by version
    "page-gold": READERS,
    "gold-reopen": frozenset({ADMIN}),
    "audits": READERS,
    "audit-share": frozenset({ADMIN}),
    # figures
    "agreement": READERS,
    "agreement-tables": READERS,
    "agreement-report": READERS,
    "agreement-pages": READERS,
    "agreement-counts": READERS,
    "bias": READERS,
    "bias-tables": READERS,
    "bias-report": READERS,
    "bias-observations": READERS,
    "leaderboard": READERS,
    "leaderboard-version": READERS,
    "leaderboard-csv": READERS,
    "leaderboard-json": READERS,
    "leaderboard-table": READERS,
    "leaderboard-pages": READERS,
    "glass": READERS,
    "glass-view": READERS,
    # releases: what is settled, for those who may read gold
    "releases": READERS,
    "release": READERS,
    "release-state": READERS,
    "release-datasheet": READERS,
    "release-manifest": READERS,
    "releases-compare": READERS,
    "report": READERS,
    "release-make": frozenset({ADMIN}),
    "release-stop": frozenset({ADMIN}),
    "release-terms": frozenset({ADMIN}),
    "release-erratum": frozenset({ADMIN}),
    "near-duplicates": frozenset({ADMIN}),
    "cluster": frozenset({ADMIN}),
    "take-down": frozenset({ADMIN}),
    # out
    "exports": frozenset({ADMIN}),
    "export-request": frozenset({ADMIN}),
    "export-state": frozenset({ADMIN}),
    "export-stop": frozenset({ADMIN}),
    "export-file": frozenset({ADMIN}),
}
