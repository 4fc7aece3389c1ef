"""What mlcroissant says of a Croissant file, and the texts that it reads: `FILE SPLIT`, as JSON.

In a process of its own: the logging that it brings closes the standard error of the tests.
"""

import json
import sys

import mlcroissant


def main(file: str, split: str) -> None:
    dataset = mlcroissant.Dataset(file)
    issues = dataset.metadata.ctx.issues
    columns = (f"{split}/sha256", f"{split}/text")
    rows = [[row[column].decode() for column in columns] for row in dataset.records(split)]
    found = {
        "errors": sorted(issues.errors),
        "warnings": sorted(issues.warnings),
        "is_v1_1": dataset.metadata.ctx.is_v1_1(),
        "has_collection_type": bool(dataset.metadata.data_collection_type),
        "rows": rows,
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
