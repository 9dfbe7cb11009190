#!/usr/bin/env bash
# Sets up .venv for a profile and prints nothing when it is already as it should be.
#
#   tools/bootstrap.sh demo   what `ronda demo` needs
#   tools/bootstrap.sh dev    what `make test` needs (and so the demo too)
#   tools/bootstrap.sh bench  what `make bench` needs beside all that
#
# PYTHON names the interpreter to use; without it the first of the usual names that is new enough is
# taken. Every failure ends with one message that says what was found, what is needed and what to do.

set -euo pipefail

readonly NEEDED_MINOR=11

# What pip writes where it cannot reach its index. "from versions: none" is all that it says of an
# index that answers nothing at all.
readonly UNREACHABLE='from versions: none\)|connection (refused|reset|aborted|broken|timed out)|'\
'failed to establish a new connection|name resolution|network is unreachable|'\
'max retries exceeded|read timed out|cannot connect to proxy|ssl error|certificate verify failed'

profile=${1:-dev}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

venv=$root/.venv
log=$venv/pip.log
# The environment is usable only for the profile, versions, interpreter and place it was made for.
stamp=$venv/.ronda-$profile

fail() {
  printf '\n%s\n' "bootstrap: $1" >&2
  shift
  for line in "$@"; do
    printf '  %s\n' "$line" >&2
  done
  exit 1
}

# It is emptied before it is filled, and what a link leads to may belong to somebody else.
if [[ -L $venv ]]; then
  fail ".venv is a link, and this would empty what it leads to." \
    "Remove the link, or move the environment here."
fi

case $profile in
  demo) extras=all ;;
  dev) extras=dev ;;
  bench) extras=dev,bench ;;
  *) fail "unknown profile '$profile'" "Known profiles: demo, dev, bench." ;;
esac

# The version as "3.12.1", or nothing where the command is missing or does not run.
version_of() {
  "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null || true
}

new_enough() {
  local major minor rest
  IFS=. read -r major minor rest <<<"$1"
  [[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+$ ]] || return 1
  ((major > 3 || (major == 3 && minor >= NEEDED_MINOR)))
}

# Sets $python to an interpreter that is new enough, or fails with what was found.
find_python() {
  local name version found=()
  local candidates=(python3 python3.13 python3.12 python3.11 python3.14 python)
  [[ -z ${PYTHON:-} ]] || candidates=("$PYTHON")
  for name in "${candidates[@]}"; do
    version=$(version_of "$name")
    if [[ -z $version ]]; then
      [[ -z ${PYTHON:-} ]] || found+=("$name does not run")
      continue
    fi
    if new_enough "$version"; then
      python=$name
      return
    fi
    found+=("$name is Python $version")
  done
  [[ ${#found[@]} -gt 0 ]] || found=("no python3 on the PATH")
  local summary
  summary=$(printf '%s; ' "${found[@]}")
  fail "Python 3.$NEEDED_MINOR or newer is needed." \
    "Found: ${summary%; }." \
    "Point at another one with: make PYTHON=/path/to/python3.12 ..."
}

# What the environment depends on. A change of any of these makes the stamp differ.
fingerprint() {
  local interpreter
  interpreter=$("$1" -c 'import sys; print(sys.version, sys.base_prefix)')
  printf '%s\n%s\n' "$root" "$interpreter"
  cksum pyproject.toml constraints.txt
}

# True where the file's content is the fingerprint of the environment's own interpreter.
is_current() {
  [[ -x $venv/bin/python && -f $1 && "$(cat "$1")" == "$(fingerprint "$venv/bin/python" 2>/dev/null)" ]]
}

# An environment made elsewhere, or by another interpreter than the one asked for, is made anew.
venv_is_usable() {
  local theirs ours
  [[ -x $venv/bin/python && -f $venv/.ronda-root && "$(cat "$venv/.ronda-root")" == "$root" ]] ||
    return 1
  "$venv/bin/python" -m pip --version >/dev/null 2>&1 || return 1
  [[ -n ${PYTHON:-} ]] || return 0
  ours=$("$PYTHON" -c 'import sys; print(sys.version)')
  theirs=$("$venv/bin/python" -c 'import sys; print(sys.version)')
  [[ $ours == "$theirs" ]]
}

create_venv() {
  "$python" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "$python has no venv module (or no ensurepip), which makes the environment." \
      "Debian and Ubuntu ship it apart: apt install python3-venv." \
      "Or point at another Python with: make PYTHON=/path/to/python3.12 ..."
  echo "Making .venv with $python ($(version_of "$python"))"
  local output
  output=$("$python" -m venv --clear "$venv" 2>&1) ||
    fail "$python could not make the environment in .venv." "It said: $output"
  printf '%s\n' "$root" >"$venv/.ronda-root"
}

install() {
  echo "Installing what the $profile needs into .venv (a minute or two; log: .venv/pip.log)"
  # The checkout's own environment is meant, whatever the user's pip settings prefer.
  if PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 "$venv/bin/python" -m pip install \
    --disable-pip-version-check --no-input --constraint constraints.txt \
    --editable ".[$extras]" >"$log" 2>&1; then
    return
  fi
  local said
  # A try that was followed by another one may have been made good by it.
  said=$(grep -vE 'Retry\(total=[1-9]' "$log" | grep -iE -m 1 "$UNREACHABLE" | cut -c 1-300 || true)
  if [[ -n $said ]]; then
    fail "pip could not reach the package index." \
      "It said: $said" \
      "Check the network and pip's settings (pip config list), then run make again." \
      "Full log: .venv/pip.log"
  fi
  said=$(grep -E '^ *ERROR:' "$log" | tail -n 1 | cut -c 1-300 || true)
  fail "pip could not install the dependencies." \
    "It said: ${said:-nothing on one line; see the log}" \
    "Full log: .venv/pip.log"
}

# An explicit PYTHON is checked even when an environment stands: it may ask for another one.
[[ -z ${PYTHON:-} ]] || find_python
if venv_is_usable; then
  if is_current "$stamp"; then
    exit 0
  fi
  # All that the demo needs is in the dev environment, and all of that in the one of the benchmarks.
  if [[ $profile == demo ]] && is_current "$venv/.ronda-dev"; then
    exit 0
  fi
  if is_current "$venv/.ronda-bench"; then
    exit 0
  fi
else
  find_python
  create_venv
fi
# A failed installation must not leave an older stamp that vouches for what it left behind.
rm -f "$venv"/.ronda-demo "$venv"/.ronda-dev "$venv"/.ronda-bench
install
fingerprint "$venv/bin/python" >"$stamp"
