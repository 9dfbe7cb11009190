#!/usr/bin/env bash
# Writes constraints.txt anew: the newest versions that pip resolves together for the extras dev and
# bench.
# Run it to move the dependencies, then `make test`.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/venv"
# Some packages need setuptools at run time without a pin of their own, so it is resolved too.
"$scratch/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade \
  setuptools --editable '.[dev,bench]'

{
  cat <<'HEADER'
# The exact versions that `make demo`, `make test` and `make bench` install, all of them together in
# one environment. Written by tools/lock.sh; to move them, run it and then `make test`.
HEADER
  # Only names with versions: neither this project itself nor a place that something came from.
  "$scratch/venv/bin/python" -m pip freeze --all --exclude pip --exclude-editable |
    grep -E '^[A-Za-z0-9._-]+==[^ ]+$'
} >"$scratch/constraints.txt"

mv "$scratch/constraints.txt" constraints.txt
