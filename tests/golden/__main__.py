"""Write the expectations again; refuse where the output changed under the same parser version."""

import json
import sys

from tests.golden import PAGES, VersionNotRaised, check_version, expected_of, output_of


def main() -> int:
    for page in PAGES:
        after = output_of(page)
        try:
            if (page / "expected.json").exists():
                check_version(expected_of(page), after)
        except VersionNotRaised as error:
            print(f"{page.name}: {error}; raise it first", file=sys.stderr)
            return 1
        (page / "expected.json").write_text(json.dumps(after, ensure_ascii=False, indent=1) + "\n")
    return 0


sys.exit(main())
