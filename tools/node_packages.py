"""Install what the TypeScript client needs into its `node_modules`, once for each lock file.

    python -m tools.node_packages

It prints nothing where everything is as `package-lock.json` says. What is installed is what the
lock file names, each package with its hash, and no package runs a script of its own.
"""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKSPACE = ROOT / "clients" / "typescript"

# What node_modules depends on, besides the machine.
_SOURCES = ("package.json", "package-lock.json", ".npmrc", "*/package.json")

# What npm writes where it cannot reach its registry.
_UNREACHABLE = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|"
    r"ERR_SOCKET_TIMEOUT|CERT|ENOTCACHED|E40[137]|E429|E5\d\d|network"
)


class NodePackagesError(Exception):
    """The packages are not there and cannot be installed; the message says why and what to do."""


class NoNpmError(NodePackagesError):
    """There is no Node or no npm on the PATH."""


def node_and_npm() -> tuple[str, str]:
    """Return the paths of Node and npm.

    Raises:
        NoNpmError: One is not on the PATH.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = " and ".join(
            f"`{name}`" for name, path in (("node", node), ("npm", npm)) if path is None
        )
        message = f"the TypeScript client needs Node 20 or newer with npm: no {missing} on the PATH"
        raise NoNpmError(message)
    return node, npm


def fingerprint(workspace: Path) -> str:
    """Return what a workspace's `node_modules` must have been made from, as a hash."""
    digest = hashlib.sha256(f"{sys.platform} {platform.machine()}".encode())
    for pattern in _SOURCES:
        for path in sorted(workspace.glob(pattern)):
            name = path.relative_to(workspace).as_posix()
            digest.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def ensure(workspace: Path = WORKSPACE) -> bool:
    """Install a workspace's packages, unless they are there; tell whether it was needed.

    Raises:
        NoNpmError: One of Node and npm is not on the PATH.
        NodePackagesError: npm failed; the message has its words.
    """
    _, npm = node_and_npm()
    stamp = workspace / "node_modules" / ".ronda-stamp"
    wanted = fingerprint(workspace)
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return False
    # A failed installation must not leave a stamp that vouches for what it left behind.
    stamp.unlink(missing_ok=True)
    print("Installing the TypeScript client's packages with npm (half a minute)", flush=True)
    ran = subprocess.run(
        [npm, "ci", "--prefer-offline", "--no-progress"],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise NodePackagesError(failure(ran.stdout + ran.stderr))
    stamp.write_text(wanted, encoding="ascii")
    return True


def failure(output: str) -> str:
    """Return what to tell people of an `npm ci` that failed with this output."""
    marked = (line.partition("npm error")[2].strip() for line in output.splitlines())
    said = [line for line in marked if line and "complete log" not in line]
    words = "\n".join(f"  It said: {line}" for line in said[:4]) or "  It said nothing."
    if _UNREACHABLE.search("\n".join(said)):
        return (
            "npm could not reach its registry, from which the TypeScript client's packages come.\n"
            f"{words}\n"
            "  Check the network and npm's settings (npm config list), then run it again."
        )
    return f"npm could not install the TypeScript client's packages.\n{words}"


def main() -> int:
    """Run the command and return its exit code."""
    try:
        ensure()
    except NodePackagesError as error:
        print(f"node_packages: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
