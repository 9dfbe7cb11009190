"""`ronda glossary`: the words of the game, language by language."""

import argparse
import json
from dataclasses import asdict

from ronda_cli.failures import CommandError
from ronda_conformance.glossary import (
    Glossary,
    GlossaryError,
    GlossaryUnknownError,
    load_glossaries,
    load_glossary,
)

# A longer sentence pushes what follows to the right, instead of everything else.
_WIDEST = 40


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and its options."""
    parser = subparsers.add_parser(
        "glossary",
        help="show the words of the game in six languages",
        description="Shows the words and sentences with which a client can show a match: each with "
        "its key, its Latin transliteration where it has one, and its source.",
    )
    parser.add_argument("--lang", metavar="CODE", help="one language alone, as ar or fr")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print one language, or all of them; return 0.

    Raises:
        CommandError: there is no such language, or a file of the glossary cannot be used.
    """
    try:
        if args.lang is not None:
            shown = [load_glossary(args.lang)]
        else:
            shown = list(load_glossaries().values())
    except GlossaryUnknownError as error:
        raise CommandError(str(error), code=2) from error
    except GlossaryError as error:
        raise CommandError(str(error)) from error
    if args.json:
        found = {glossary.language: asdict(glossary) for glossary in shown}
        print(json.dumps(found[args.lang] if args.lang is not None else found, ensure_ascii=False))
    else:
        print("\n\n".join(map(_text, shown)))
    return 0


def _text(glossary: Glossary) -> str:
    """Return a language as lines, what is written from right to left at their ends."""
    lines = [f"{glossary.language}  {glossary.name}"]
    for section, entries in glossary.sections.items():
        rows = [
            (f"{section}.{key}", entry.source or "", entry.latin or "", entry.text)
            for key, entry in entries.items()
        ]
        widths = [min(_WIDEST, max(len(row[column]) for row in rows)) for column in range(3)]
        lines.append("")
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False) if width]
            lines.append("  ".join((*cells, row[3])))
    return "\n".join(lines)
