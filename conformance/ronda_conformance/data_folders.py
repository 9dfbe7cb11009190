"""Where the specification, the suites, the rule-set files, the glossary and the vectors are.

A wheel ships them inside the package; in a checkout they are folders beside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class DataFolderMissingError(Exception):
    """A data folder is neither inside the package nor beside it; the message names both places."""


def _find(name: str) -> Path:
    places = (_PACKAGE / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    tried = " nor ".join(str(place) for place in places)
    message = f"the folder {name!r} of the conformance data is missing: neither {tried} exists"
    raise DataFolderMissingError(message)


def spec() -> Path:
    """Return the folder of the specification's pages.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("spec")


def suites() -> Path:
    """Return the folder of the scenarios, one folder a chapter.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("suites")


def rule_sets() -> Path:
    """Return the folder of the presets, the rule-set files that are played by name.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("rule_sets")


def house_rules() -> Path:
    """Return the folder of the house rule sets, which are examples.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("house_rules")


def glossary() -> Path:
    """Return the folder of the glossary files, one a language.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("glossary")


def vectors() -> Path:
    """Return the folder of the test vectors of the log and the shuffle.

    Raises:
        DataFolderMissingError: the installation lacks it.
    """
    return _find("vectors")
