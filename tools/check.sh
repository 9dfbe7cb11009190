#!/usr/bin/env bash
# Runs every check, or the ones named, and stops at the first that fails. mypy, which takes longest
# of those before the tests and has one core only, is begun first and runs beside the others.
#
#   tools/check.sh              all of them, in the order below
#   tools/check.sh mypy tests   these alone
#
# The tests come last, so that their closing line closes the run.

set -euo pipefail

readonly CHECKS=(lint format imports protos generated mypy tests)

cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=.venv/bin

# The folders with code, where they exist.
code=()
for folder in referee clients conformance tests tools benchmarks examples; do
  [[ ! -d $folder ]] || code+=("$folder")
done

check_lint() { "$bin/ruff" check; }
check_format() { "$bin/ruff" format --check; }
check_mypy() { "$bin/mypy" "${code[@]}"; }
check_imports() { "$bin/lint-imports" --no-cache --no-logo; }
check_protos() { (cd proto && "../$bin/buf" lint); }
check_generated() {
  "$bin/python" tools/generate_protos.py --check &&
    "$bin/python" tools/generate_rulings.py --check &&
    "$bin/python" tools/generate_comparison.py --check &&
    "$bin/python" -m tools.generate_coverage --check &&
    "$bin/python" -m tools.generate_vectors --check &&
    "$bin/python" -m tools.generate_typescript --check
}
# A file's tests go to one worker, so that what they share is made once; tests/conftest.py has the
# order of the files.
check_tests() { "$bin/python" -m pytest -n 2 --dist loadfile --no-loadscope-reorder; }

title() {
  case $1 in
    lint) echo "ruff check" ;;
    format) echo "ruff format --check" ;;
    mypy) echo "mypy, strict" ;;
    imports) echo "import contracts" ;;
    protos) echo "buf lint" ;;
    generated) echo "generated code, pages and vectors are as generated" ;;
    tests) echo "pytest, the wheel's tests included" ;;
    *) return 1 ;;
  esac
}

chosen=("$@")
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${CHECKS[@]}")
for check in "${chosen[@]}"; do
  title "$check" >/dev/null || {
    echo "check: there is no check '$check'; there are: ${CHECKS[*]}" >&2
    exit 2
  }
done

typed=''
if [[ ${#chosen[@]} -gt 1 && " ${chosen[*]} " == *" mypy "* ]]; then
  typed=$(mktemp)
  "$bin/mypy" "${code[@]}" >"$typed" 2>&1 &
  typing=$!
  trap 'kill "$typing" 2>/dev/null || true; rm -f "$typed"' EXIT
fi

run() {
  if [[ $1 != mypy || -z $typed ]]; then
    "check_$1"
    return
  fi
  local status=0
  wait "$typing" || status=$?
  trap 'rm -f "$typed"' EXIT
  cat "$typed"
  return "$status"
}

for check in "${chosen[@]}"; do
  printf '\n=== %s\n' "$(title "$check")"
  run "$check" || {
    printf '\ncheck: FAILED at "%s"; again alone: make test CHECK=%s\n' \
      "$(title "$check")" "$check" >&2
    exit 1
  }
done
