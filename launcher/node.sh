#!/bin/sh
# Put the pinned packages for Node beside Python's, into the virtual environment $1. Only the extractor
# readability-js needs them: without Node, or without the packages, all goes on, and its row says so.
set -eu
folder=$1/node
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "No Node with npm on the path: the extractor readability-js stays off."
    exit 0
fi
echo "Installing the packages for Node pinned in extraction/extractors/external/package-lock.json"
mkdir -p "$folder"
cp "$here"/../extraction/extractors/external/package.json "$here"/../extraction/extractors/external/package-lock.json "$folder"
# None of their own scripts run.
if ! npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error; then
    rm -rf "$folder"
    echo "The packages for Node cannot be had: the extractor readability-js stays off."
fi
