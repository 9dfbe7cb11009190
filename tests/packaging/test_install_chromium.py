"""CI gets a browser where it may install one, and says so loudly where it may not."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "install_chromium.sh"
NEEDED = ("bash", "env", "grep", "mktemp", "rm", "tail")
SKIPPED = "chromium: NOT INSTALLED. The test that opens a replay in a browser will be SKIPPED."


class System:
    """A system with the programs that a test gives it and no others."""

    def __init__(self, folder: Path) -> None:
        """Take a folder for its programs."""
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.calls = folder / "calls"
        self.os_release = folder / "os-release"
        self.os_release.write_text('PRETTY_NAME="Debian"\nID=debian\n', encoding="utf-8")
        for name in NEEDED:
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)
        self.add("id", "echo 0")

    def add(self, name: str, script: str) -> None:
        """Add a program."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def add_apt(self, install: str) -> None:
        """Add an apt-get that notes what it is asked for, and does something to install."""
        self.add(
            "apt-get",
            f'echo "$*" >>"{self.calls}"\ncase "$*" in *install*) {install} ;; esac',
        )

    def asked(self) -> list[str]:
        """Give what apt-get was asked for, without its options."""
        text = self.calls.read_text(encoding="utf-8") if self.calls.exists() else ""
        said = [line.split() for line in text.splitlines()]
        return [next(word for word in line if word in {"update", "install"}) for line in said]

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        environment = {"PATH": str(self.programs), "OS_RELEASE": str(self.os_release)}
        bash = str(self.programs / "bash")
        return subprocess.run(
            [bash, SCRIPT], env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def system(tmp_path: Path) -> System:
    """Give a Debian without Chromium and without apt-get, on which one is root."""
    return System(tmp_path)


@pytest.mark.parametrize("name", ["chromium", "chromium-browser"])
def test_nothing_is_done_where_there_is_a_browser(system: System, name: str) -> None:
    """It says nothing and asks nobody."""
    system.add(name, "exit 0")
    system.add_apt("exit 1")
    ran = system.run()
    assert (ran.returncode, ran.stdout, ran.stderr, system.asked()) == (0, "", "", [])


def test_it_is_installed_where_it_is_lacking(system: System) -> None:
    """After the lists of packages were brought up to date."""
    browser = system.programs / "chromium"
    system.add_apt(f'echo "#!/bin/sh" >"{browser}"; /bin/chmod +x "{browser}"')
    ran = system.run()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "Installing Chromium (try 1 of 2)\n"
    assert system.asked() == ["update", "install"]
    asked = system.calls.read_text(encoding="utf-8").splitlines()[1]
    assert asked.endswith(" install -y --no-install-recommends chromium")


def test_a_mirror_that_fails_once_is_tried_again(system: System) -> None:
    """The second try may do."""
    browser = system.programs / "chromium"
    again = f'[ "$(/usr/bin/wc -l <"{system.calls}")" -gt 2 ] || exit 100'
    system.add_apt(f'{again}; echo "#!/bin/sh" >"{browser}"; /bin/chmod +x "{browser}"')
    ran = system.run()
    assert ran.returncode == 0
    assert SKIPPED not in ran.stderr
    assert system.asked() == ["update", "install", "update", "install"]


def test_a_mirror_that_fails_twice_is_said_loudly_and_is_no_failure(system: System) -> None:
    """With what apt-get said; the run goes on without the browser."""
    system.add_apt('echo "E: Unable to fetch some archives" >&2; exit 100')
    ran = system.run()
    assert ran.returncode == 0
    assert system.asked() == ["update", "install", "update", "install"]
    assert SKIPPED in ran.stderr
    assert "E: Unable to fetch some archives" in ran.stderr
    assert "Why: apt-get failed 2 times" in ran.stderr


def test_other_systems_are_left_alone(system: System) -> None:
    """A package of that name may be something else there."""
    system.os_release.write_text("ID=ubuntu\nID_LIKE=debian\n", encoding="utf-8")
    system.add_apt("exit 0")
    ran = system.run()
    assert (ran.returncode, system.asked()) == (0, [])
    assert SKIPPED in ran.stderr
    assert "Why: this is not Debian" in ran.stderr


def test_a_system_without_apt_is_told(system: System) -> None:
    """And nothing else happens."""
    ran = system.run()
    assert ran.returncode == 0
    assert SKIPPED in ran.stderr
    assert "Why: there is no apt-get." in ran.stderr


@pytest.mark.parametrize("sudo", [None, "exit 1"])
def test_who_may_not_install_is_told(system: System, sudo: str | None) -> None:
    """Without sudo, and where it asks for a password."""
    system.add("id", "echo 1000")
    system.add_apt("exit 0")
    if sudo is not None:
        system.add("sudo", sudo)
    ran = system.run()
    assert (ran.returncode, system.asked()) == (0, [])
    assert SKIPPED in ran.stderr
    assert "Why: this is not root" in ran.stderr


def test_sudo_without_a_password_will_do(system: System) -> None:
    """It is asked for everything that apt-get does."""
    browser = system.programs / "chromium"
    system.add("id", "echo 1000")
    system.add("sudo", 'shift; exec "$@"')
    system.add("true", "exit 0")
    system.add_apt(f'echo "#!/bin/sh" >"{browser}"; /bin/chmod +x "{browser}"')
    ran = system.run()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert system.asked() == ["update", "install"]
