"""Settings come from flags, the environment and a file; errors say from which."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ronda_referee.configuration import read_configuration, settings_of
from ronda_referee.errors import SettingsError
from ronda_referee.settings import Limits, Settings, Tls

KEYS = [
    "data",
    "listen",
    "metrics_listen",
    "organiser_tokens",
    "create_needs_token",
    "allow_fixed_draws",
    "allow_shared_shuffles",
    "heartbeat_seconds",
    "slow_watcher_seconds",
    "sleep_after_seconds",
    "drain_seconds",
    "log_format",
    "tls.certificate",
    "tls.key",
    "tls.client_ca",
    "limits.calls_per_second",
    "limits.streams_per_peer",
    "limits.watchers_per_match",
    "limits.open_matches",
    "limits.moves_in_flight",
    "terms.most_refusals",
    "terms.join_timeout_seconds",
]


def serve(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ronda serve` to its end, with nothing of our own environment's settings."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RONDA_")}
    return subprocess.run(
        [sys.executable, "-m", "ronda_cli", "serve", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**clean, **environment},
        timeout=60,
    )


def written(folder: Path, text: str) -> Path:
    """Write a file of settings."""
    file = folder / "ronda.toml"
    file.write_text(text, encoding="utf-8")
    return file


def problems(file: Path | None = None, **environment: str) -> list[str]:
    """Give what is wrong with a file and an environment, a line each."""
    with pytest.raises(SettingsError) as caught:
        read_configuration({}, environment, file)
    return str(caught.value).splitlines()


def test_flags_go_before_the_environment_before_the_file_before_defaults(tmp_path: Path) -> None:
    """Of four settings each place decides one, whatever the places below it say."""
    file = written(
        tmp_path,
        "drain_seconds = 1\nheartbeat_seconds = 2\n[limits]\nopen_matches = 3\n",
    )
    configuration = read_configuration(
        {"drain_seconds": "7"},
        {"RONDA_DRAIN_SECONDS": "8", "RONDA_HEARTBEAT_SECONDS": "9"},
        file,
    )
    decided = {key: (one.value, one.source) for key, one in configuration.settings.items()}
    assert decided["drain_seconds"] == (7.0, "--drain-seconds")
    assert decided["heartbeat_seconds"] == (9.0, "RONDA_HEARTBEAT_SECONDS")
    assert decided["limits.open_matches"] == (3, str(file))
    assert decided["limits.streams_per_peer"] == (4096, "default")


def test_every_setting_reaches_the_referee(tmp_path: Path) -> None:
    """Each key of the file says what it should; files stand beside the one that names them."""
    file = written(
        tmp_path,
        """
        data = "games"
        listen = "[::1]:7000"
        metrics_listen = "127.0.0.1:9000"
        organiser_tokens = "tokens"
        create_needs_token = true
        allow_fixed_draws = true
        allow_shared_shuffles = true
        heartbeat_seconds = 2.5
        slow_watcher_seconds = 12.5
        sleep_after_seconds = 60
        drain_seconds = 0
        log_format = "json"
        [tls]
        certificate = "server.pem"
        key = "/etc/server.key"
        client_ca = "clients.pem"
        [limits]
        calls_per_second = 1
        streams_per_peer = 2
        watchers_per_match = 3
        open_matches = 4
        moves_in_flight = 5
        [terms]
        most_refusals = 6
        join_timeout_seconds = 7
        """,
    )
    settings = settings_of(read_configuration({}, {}, file))
    assert settings == Settings(
        data=tmp_path / "games",
        listen="[::1]:7000",
        allow_fixed_draws=True,
        allow_shared_shuffles=True,
        heartbeat_seconds=2.5,
        slow_watcher_seconds=12.5,
        sleep_after_seconds=60.0,
        drain_seconds=0.0,
        tls=Tls(tmp_path / "server.pem", Path("/etc/server.key"), tmp_path / "clients.pem"),
        organiser_tokens=tmp_path / "tokens",
        create_needs_token=True,
        metrics_listen="127.0.0.1:9000",
        limits=Limits(1, 2, 3, 4, 5),
        most_refusals=6,
        join_timeout_seconds=7,
    )
    assert settings.default_terms.most_refusals == 6
    assert settings.default_terms.join_timeout_ms == 7000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("open_matches = 3", "open_matches is no setting; did you mean limits.open_matches?"),
        ("[limits]\nopen_match = 3", "limits.open_match is no setting; did you mean limits.open_"),
        ("organiser_token = 'x'", "organiser_token is no setting; did you mean organiser_tokens?"),
        ("[web]\nport = 3", "web is no setting; there are data, listen, metrics_listen, "),
        ("limits = 3", "limits is no setting"),
        ("[data]\nx = 1", "data is a list, a table, a date or a time; it must be the name of a fi"),
        (
            "[limits]\nopen_matches = 'many'",
            "limits.open_matches is 'many'; it must be a whole number from 1 to 1000000",
        ),
        (
            "[limits]\nopen_matches = 0",
            "limits.open_matches is 0; it must be a whole number from 1 to 1000000",
        ),
        (
            "[limits]\nopen_matches = 1000001",
            "limits.open_matches is 1000001; it must be a whole number from 1 to 1000000",
        ),
        (
            "[limits]\nopen_matches = true",
            "limits.open_matches is true; it must be a whole number from 1 to 1000000",
        ),
        (
            "[limits]\nopen_matches = 2.5",
            "limits.open_matches is 2.5; it must be a whole number from 1 to 1000000",
        ),
        ("drain_seconds = nan", "drain_seconds is nan; it must be a number from 0 to 3600"),
        ("drain_seconds = -1", "drain_seconds is -1; it must be a number from 0 to 3600"),
        ("allow_fixed_draws = 'yes'", "allow_fixed_draws is 'yes'; it must be true or false"),
        ("allow_fixed_draws = 1", "allow_fixed_draws is 1; it must be true or false"),
        ("log_format = 'xml'", "log_format is 'xml'; it must be auto or console or json"),
        ("listen = '7632'", "listen '7632' is not HOST:PORT, as 127.0.0.1:7632 or [::1]:7632"),
        ("listen = 7632", "listen is 7632; it must be HOST:PORT, as 127.0.0.1:7632 or [::1]:7632"),
        ("data = ''", "data is ''; it must be the name of a file or folder, in quotes"),
        ("data = games", "is not TOML: Invalid value (at line 1, column 8)"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_what_is_allowed(
    tmp_path: Path, text: str, problem: str
) -> None:
    """The line names the file, the key, what stands there, and what may."""
    file = written(tmp_path, text)
    (line,) = problems(file)
    assert line.startswith(f"{file}: {problem}")


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("RONDA_LIMITS_OPEN_MATCHES", "ten", "is 'ten'; it must be a whole number from 1 to 1000"),
        ("RONDA_LIMITS_OPEN_MATCHES", "-1", "is '-1'; it must be a whole number from 1 to 1000"),
        ("RONDA_LIMITS_OPEN_MATCHES", "0", "is 0; it must be a whole number from 1 to 1000000"),
        ("RONDA_LIMITS_OPEN_MATCHES", "1_0", "is '1_0'; it must be a whole number"),
        ("RONDA_DRAIN_SECONDS", "inf", "is 'inf'; it must be a number from 0 to 3600"),
        ("RONDA_DRAIN_SECONDS", "1.2.3", "is '1.2.3'; it must be a number from 0 to 3600"),
        ("RONDA_DRAIN_SECONDS", ".", "is '.'; it must be a number from 0 to 3600"),
        ("RONDA_ALLOW_FIXED_DRAWS", "yes", "is 'yes'; it must be true or false"),
        ("RONDA_LISTN", "x", "is no setting; did you mean RONDA_LISTEN?"),
        ("RONDA_XYZ", "x", "is no setting; there are RONDA_DATA, RONDA_LISTEN, "),
    ],
)
def test_what_is_wrong_in_the_environment_names_the_variable(
    name: str, value: str, problem: str
) -> None:
    """Also a variable that is none, which would else be taken to be in force."""
    (line,) = problems(None, **{name: value})
    assert line.startswith(f"environment: {name} {problem}")


def test_a_secret_in_the_wrong_place_is_not_printed(tmp_path: Path) -> None:
    """What stands under a name that is no setting is not shown; it may be a token."""
    file = written(tmp_path, "token = 'hush-hush-file'\n")
    lines = problems(file, RONDA_TOKENS="hush-hush-variable")
    assert len(lines) == 2
    assert "hush" not in "".join(lines)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """A line each, from the file, the environment and the command line; exit code 2."""
    file = written(tmp_path, "listen = 'here'\nport = 3\n")
    finished = serve(
        *("--config", str(file), "--drain-seconds", "soon"), RONDA_HEARTBEAT_SECONDS="0"
    )
    assert finished.returncode == 2
    assert finished.stdout == ""
    lines = finished.stderr.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        ["ronda serve", str(file)],
        ["ronda serve", str(file)],
        ["ronda serve", "environment"],
        ["ronda serve", "command line"],
    ]
    assert lines[3].endswith("--drain-seconds is 'soon'; it must be a number from 0 to 3600")


def test_variables_that_say_nothing_here_are_let_be() -> None:
    """Those of other commands, those that Kubernetes sets, and empty ones."""
    configuration = read_configuration(
        {},
        {
            "RONDA_SEAT_TOKEN": "x",
            "RONDA_ORGANISER_TOKEN": "x",
            "RONDA_TLS_CA": "ca.pem",
            "RONDA_SERVICE_HOST": "10.0.0.1",
            "RONDA_SERVICE_PORT_GRPC": "7632",
            "RONDA_PORT": "tcp://10.0.0.1:7632",
            "RONDA_PORT_7632_TCP_ADDR": "10.0.0.1",
            "RONDA_LISTEN": "",
            "PATH": "/bin",
        },
        None,
    )
    assert configuration.settings["listen"].value == "127.0.0.1:7632"
    assert {known.source for known in configuration.settings.values()} == {"default"}


@pytest.mark.parametrize(
    ("listen", "calls"), [("127.0.0.1:7632", 0), ("[::1]:0", 0), ("0.0.0.0:7632", 500)]
)
def test_calls_are_limited_beyond_loopback_unless_said_otherwise(listen: str, calls: int) -> None:
    """On loopback every program is the same peer; a number that is given stands anywhere."""
    configuration = read_configuration({"listen": listen}, {}, None)
    assert configuration.settings["limits.calls_per_second"].value == calls
    said = read_configuration({"listen": listen, "limits.calls_per_second": "9"}, {}, None)
    assert said.settings["limits.calls_per_second"].value == 9


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        ({"tls.certificate": "c.pem"}, "tls.key"),
        ({"tls.key": "c.key"}, "tls.certificate"),
        ({"tls.client_ca": "ca.pem"}, "tls.certificate and tls.key"),
    ],
)
def test_half_of_what_tls_needs_is_refused(flags: dict[str, str], missing: str) -> None:
    """Whoever gives one file means TLS; it must not start in the clear."""
    with pytest.raises(SettingsError) as caught:
        settings_of(read_configuration(dict(flags), {}, None))
    assert str(caught.value) == f"TLS needs a certificate and its key: {missing} is not set"


def test_show_config_prints_a_file_that_means_the_same(tmp_path: Path) -> None:
    """Each value has its source in a comment, and what is printed can be read again."""
    file = written(tmp_path, "[limits]\nopen_matches = 3\n")
    (tmp_path / 'a "b" # c').mkdir()
    finished = serve(
        *("--config", str(file), "--show-config", "--data", str(tmp_path / 'a "b" # c')),
        RONDA_DRAIN_SECONDS="0.5",
    )
    assert finished.returncode == 0, finished.stderr
    lines = finished.stdout.splitlines()
    assert f"open_matches = 3  # {file}" in lines
    assert "drain_seconds = 0.5  # RONDA_DRAIN_SECONDS" in lines
    assert 'listen = "127.0.0.1:7632"  # default' in lines
    assert "# metrics_listen is not set" in lines
    assert lines.index("[limits]") < lines.index(f"open_matches = 3  # {file}")
    document = tomllib.loads(finished.stdout)
    assert document["data"] == str(tmp_path / 'a "b" # c')
    assert document["limits"]["open_matches"] == 3
    again = written(tmp_path, finished.stdout)
    before = read_configuration({}, {}, again)
    assert {key: known.value for key, known in before.settings.items()} == {
        **dict.fromkeys(KEYS),
        "data": str(tmp_path / 'a "b" # c'),
        "listen": "127.0.0.1:7632",
        "create_needs_token": False,
        "allow_fixed_draws": False,
        "allow_shared_shuffles": False,
        "heartbeat_seconds": 15.0,
        "slow_watcher_seconds": 30.0,
        "sleep_after_seconds": 300.0,
        "drain_seconds": 0.5,
        "log_format": "auto",
        "limits.calls_per_second": 0,
        "limits.streams_per_peer": 4096,
        "limits.watchers_per_match": 1000,
        "limits.open_matches": 3,
        "limits.moves_in_flight": 1024,
        "terms.most_refusals": 10,
        "terms.join_timeout_seconds": 3600,
    }


def test_show_config_for_machines(tmp_path: Path) -> None:
    """One JSON object: every key with its value, its source, its variable and its flag."""
    finished = serve("--show-config", "--json", "--allow-fixed-draws", "--data", str(tmp_path))
    assert finished.returncode == 0, finished.stderr
    shown = json.loads(finished.stdout)
    assert list(shown) == KEYS
    assert shown["allow_fixed_draws"] == {
        "value": True,
        "source": "--allow-fixed-draws",
        "variable": "RONDA_ALLOW_FIXED_DRAWS",
        "flag": "--allow-fixed-draws",
    }
    assert shown["tls.client_ca"] == {
        "value": None,
        "source": "default",
        "variable": "RONDA_TLS_CLIENT_CA",
        "flag": "--tls-client-ca",
    }
    assert list(tmp_path.iterdir()) == []


def test_show_config_opens_no_file_that_holds_a_secret(tmp_path: Path) -> None:
    """A token and a key are named by their files; what is in them is nowhere in the output."""
    tokens = tmp_path / "tokens"
    tokens.write_text("S3cretS3cretS3cretS3cretS3cretS3cret\n")
    tokens.chmod(0o600)
    for form in ((), ("--json",)):
        finished = serve(
            *("--show-config", *form, "--organiser-tokens", str(tokens)),
            *("--tls-key", str(tokens), "--tls-certificate", str(tokens)),
        )
        assert finished.returncode == 0
        assert str(tokens) in finished.stdout
        assert "S3cret" not in finished.stdout + finished.stderr


def test_the_file_may_be_named_in_the_environment(tmp_path: Path) -> None:
    """RONDA_CONFIG stands in for --config, which goes before it."""
    one = written(tmp_path, "drain_seconds = 1\n")
    shown = serve("--show-config", RONDA_CONFIG=str(one))
    assert f"drain_seconds = 1.0  # {one}" in shown.stdout.splitlines()
    other = tmp_path / "other.toml"
    other.write_text("drain_seconds = 2\n")
    shown = serve("--show-config", "--config", str(other), RONDA_CONFIG=str(one))
    assert f"drain_seconds = 2.0  # {other}" in shown.stdout.splitlines()


def test_a_file_that_is_not_there_is_a_clear_message(tmp_path: Path) -> None:
    """The referee does not start with other settings than those it was told to use."""
    finished = serve("--config", str(tmp_path / "none.toml"))
    assert finished.returncode == 2
    assert finished.stderr == (
        f"ronda serve: {tmp_path / 'none.toml'}: cannot be read: No such file or directory\n"
    )


def test_json_without_show_config_is_refused() -> None:
    """It would start a referee for somebody who wanted to look."""
    finished = serve("--json")
    assert finished.returncode == 2
    assert "--json goes with --show-config alone" in finished.stderr
