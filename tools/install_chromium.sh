#!/usr/bin/env bash
# Installs Chromium where it is lacking, for the test that opens a replay's page in a browser.
#
#   tools/install_chromium.sh   does nothing where there is a Chromium
#
# Only Debian's own package will do, and only where this may install it. A mirror that does not
# answer is tried twice. It always ends with 0: without a browser that one test is skipped, and the
# closing line here says so and why.

set -euo pipefail

readonly TRIES=2

# Where the system says what it is; tests name another file.
os_release=${OS_RELEASE:-/etc/os-release}

has_chromium() { command -v chromium >/dev/null || command -v chromium-browser >/dev/null; }

skipped() {
  printf '\n%s\n  %s\n\n' \
    "chromium: NOT INSTALLED. The test that opens a replay in a browser will be SKIPPED." \
    "Why: $1" >&2
  exit 0
}

has_chromium && exit 0

# Elsewhere a package of this name may be a mere pointer to another store.
[[ -r $os_release ]] && grep -qE '^ID="?debian"?$' "$os_release" ||
  skipped "this is not Debian; install Chromium by hand to have the test run."
command -v apt-get >/dev/null || skipped "there is no apt-get."

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null && sudo -n true 2>/dev/null ||
    skipped "this is not root and sudo asks for a password; as root: apt-get install chromium"
  as_root=(sudo -n)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::http::Timeout=30 "$@"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for ((try = 1; try <= TRIES; try++)); do
  echo "Installing Chromium (try $try of $TRIES)"
  if { apt update && apt install -y --no-install-recommends chromium; } >"$log" 2>&1; then
    has_chromium || skipped "apt-get installed its package, and there is no chromium on the PATH."
    exit 0
  fi
  tail -n 5 "$log" >&2
done
skipped "apt-get failed $TRIES times; what it said last stands above."
