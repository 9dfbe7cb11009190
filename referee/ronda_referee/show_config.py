"""`ronda serve --show-config`: every setting, its value and where that comes from.

No setting is a secret: those that lead to one name the file that holds it, and no file is opened.
"""

import json

from ronda_referee.configuration import Configuration, Set
from ronda_referee.options import BY_KEY, Value


def as_toml(configuration: Configuration) -> str:
    """Give the settings as a file that `--config` reads, the source of each in a comment.

    A setting without a value stands in a comment of its own.
    """
    lines: list[str] = []
    table = ""
    for key, known in configuration.settings.items():
        named, _, name = key.rpartition(".")
        if named != table:
            table = named
            lines += ["", f"[{table}]"]
        lines += [f"# {BY_KEY[key].what}", _line(name, known)]
    return "\n".join(lines) + "\n"


def as_json(configuration: Configuration) -> str:
    """Give the settings as one JSON object: by key, `value`, `source` and `variable`, `flag`."""
    return json.dumps(
        {
            key: {
                "value": known.value,
                "source": known.source,
                "variable": BY_KEY[key].variable,
                "flag": BY_KEY[key].flag,
            }
            for key, known in configuration.settings.items()
        }
    )


def _line(name: str, known: Set) -> str:
    if known.value is None:
        return f"# {name} is not set"
    return f"{name} = {_toml(known.value)}  # {known.source}"


def _toml(value: Value) -> str:
    # TOML's basic strings have the escapes of JSON, and DEL must be escaped too.
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower()
