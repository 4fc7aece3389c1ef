"""The import of a folder of pages, as a process: `python -m benchmarks.import_step SLUG FOLDER`.

Prints its cost as JSON.
"""

import json
import resource
import sys

import django
from django.core.management import call_command

from benchmarks.memory import peak
from benchmarks.stopwatch import clock

if __name__ == "__main__":
    django.setup()
    with clock() as seconds:
        call_command("import_pages", sys.argv[1], "html", sys.argv[2])
    of_readers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": seconds(), "peak": max(peak(), of_readers)}))
