#!/bin/sh
# Make or complete the virtual environment $1 with the pinned requirements file $2. PYTHON= chooses the Python.
set -eu
venv=$1
requirements=$2

find_python() {
    for candidate in "${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3 /usr/bin/python3; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "Goldpan needs Python 3.11 or later with its venv module (on Debian: apt-get install python3 python3-venv)." >&2
    return 1
}

# An environment whose Python does not start (moved, or partly installed) is replaced.
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    echo "Creating the virtual environment $venv with $python"
    "$python" -m venv --clear "$venv"
fi
echo "Installing the packages pinned in $requirements"
pip() {
    "$venv/bin/python" -m pip --quiet --disable-pip-version-check "$@"
}
# An old pip fails on packages that spell the name of one extra in two ways.
pip install --constraint constraints.txt pip
# Wheels only: nothing is compiled here, so no compiler is needed. Four are published as source alone, all pure Python.
pip install --only-binary=:all: --no-binary=langdetect,tinysegmenter,jieba,jsonpath-rw --requirement "$requirements"
