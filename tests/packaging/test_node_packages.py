"""What the TypeScript client needs is installed once for each lock file, or it is said why not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools.node_packages import NodePackagesError, NoNpmError, ensure, failure

# Stands for npm: it makes the folder anew, as `npm ci` does, and notes that it was asked.
FAKE_NPM = """#!/bin/sh
echo "$1" >> asked
rm -rf node_modules
mkdir node_modules
"""
# Stands for an npm without a network; its words are those of npm 11.
NPM_ALONE = """#!/bin/sh
echo 'npm error code ENOTFOUND' >&2
echo 'npm error network request to some.where failed, reason: getaddrinfo ENOTFOUND' >&2
echo 'npm error A complete log of this run can be found in: a file' >&2
exit 1
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace with a lock file and nothing installed."""
    folder = tmp_path / "workspace"
    (folder / "client").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "client/package.json"):
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


def on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> None:
    """Put these scripts before everything else on the PATH, or alone where there are none."""
    folder.mkdir(exist_ok=True)
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    if programs:
        monkeypatch.setenv("PATH", str(folder), prepend=":")
    else:
        monkeypatch.setenv("PATH", str(folder))


def test_packages_are_installed_again_only_when_what_they_depend_on_changes(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run does nothing; a changed lock or a folder that was removed is made good."""
    on_the_path(tmp_path / "bin", monkeypatch, npm=FAKE_NPM, node="#!/bin/sh\n")
    asked = workspace / "asked"
    assert ensure(workspace)
    assert not ensure(workspace)
    assert asked.read_text(encoding="utf-8") == "ci\n"
    (workspace / "package-lock.json").write_text("{ }", encoding="utf-8")
    assert ensure(workspace)
    (workspace / "client" / "package.json").write_text("{ }", encoding="utf-8")
    assert ensure(workspace)
    shutil.rmtree(workspace / "node_modules")
    assert ensure(workspace)
    assert not ensure(workspace)
    assert asked.read_text(encoding="utf-8") == "ci\n" * 4


def test_a_registry_that_cannot_be_reached_is_said_and_leaves_no_stamp(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has npm's words and what to do; what was installed before is not vouched for."""
    on_the_path(tmp_path / "bin", monkeypatch, npm=FAKE_NPM, node="#!/bin/sh\n")
    ensure(workspace)
    (workspace / "package-lock.json").write_text("{ }", encoding="utf-8")
    on_the_path(tmp_path / "bin", monkeypatch, npm=NPM_ALONE)
    with pytest.raises(NodePackagesError) as caught:
        ensure(workspace)
    assert str(caught.value).splitlines() == [
        "npm could not reach its registry, from which the TypeScript client's packages come.",
        "  It said: code ENOTFOUND",
        "  It said: network request to some.where failed, reason: getaddrinfo ENOTFOUND",
        "  Check the network and npm's settings (npm config list), then run it again.",
    ]
    (workspace / "package-lock.json").write_text("{}", encoding="utf-8")
    on_the_path(tmp_path / "bin", monkeypatch, npm=FAKE_NPM)
    assert ensure(workspace)


def test_another_failure_is_told_in_npms_words() -> None:
    """A lock file that does not fit is no matter of the network."""
    said = failure("npm error code EUSAGE\nnpm error\nnpm error `npm ci` needs a lock in sync\n")
    assert said.splitlines() == [
        "npm could not install the TypeScript client's packages.",
        "  It said: code EUSAGE",
        "  It said: `npm ci` needs a lock in sync",
    ]


def test_without_node_and_npm_both_are_named(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has no npm is told what is missing."""
    on_the_path(tmp_path / "empty", monkeypatch)
    with pytest.raises(NoNpmError, match=r"Node 20 or newer with npm: no `node` and `npm` on"):
        ensure(workspace)
