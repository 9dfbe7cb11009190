"""Mutants of the engine: what mutmut makes of a module, without what only changes texts.

mutmut keeps every mutant of a function beside the original, in one module, and a name in the
environment chooses among them. So all mutants of the engine are imported at once.
"""

import difflib
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from mutmut.mutation.file_mutation import (
    Mutation,
    combine_mutations_to_source,
    create_mutations,
    deep_replace,
    group_by_top_level_node,
)
from mutmut.mutation.trampoline_templates import mangle_function_name

from tests.mutation.texts import Texts

PACKAGE = "ronda_rules"


@dataclass(frozen=True, order=True)
class Place:
    """Where a mutant is and what it changes: the same when lines move.

    Attributes:
        module: the engine's module, as `capture`.
        function: the function, as `play_card`, or `MatchState.side` for a method.
        old: the lines that it changes, without their common indentation.
        new: what stands there instead; empty where lines are taken out.
        nth: which one, from 1, of those alike in all this.
    """

    module: str
    function: str
    old: str
    new: str
    nth: int = 1


@dataclass(frozen=True)
class Mutant:
    """One mutant.

    Attributes:
        name: mutmut's name, which switches it on.
        covers: the name under which mutmut records calls of its function.
        place: where it is.
    """

    name: str
    covers: str
    place: Place


@dataclass(frozen=True)
class MutatedModule:
    """A module with all its mutants.

    Attributes:
        source: what is to be imported in its stead.
        mutants: those that it holds.
    """

    source: str
    mutants: Sequence[Mutant]


def mutated(file: Path) -> MutatedModule:
    """Give a module of the engine with its mutants."""
    source = _undecorated(file.read_text(encoding="utf-8"))
    module, mutations, _, _ = create_mutations(str(file), source)
    texts = Texts(file.stem, module)
    kept = [one for one in mutations if not texts.alone(one)]
    code = combine_mutations_to_source(module, kept).code
    return MutatedModule(code, list(_named(file.stem, module, kept)))


def _named(stem: str, module: cst.Module, mutations: Sequence[Mutation]) -> Iterator[Mutant]:
    """Name mutants as mutmut does: numbered from 1 in each function."""
    alike: Counter[Place] = Counter()
    by_function = group_by_top_level_node(mutations)
    for function, class_name in _functions(module.body):
        mangled = mangle_function_name(name=function.name.value, class_name=class_name)
        dotted = f"{class_name}.{function.name.value}" if class_name else function.name.value
        before = cst.Module([function]).code
        for number, one in enumerate(by_function.get(function, ()), start=1):
            replaced = deep_replace(function, one.original_node, one.mutated_node)
            if not isinstance(replaced, cst.FunctionDef):
                raise TypeError(f"a mutant of {dotted} is no function")
            old, new = _difference(before, cst.Module([replaced]).code)
            place = Place(stem, dotted, old, new)
            alike[place] += 1
            yield Mutant(
                name=f"{PACKAGE}.{stem}.{mangled}__mutmut_{number}",
                covers=f"{PACKAGE}.{stem}.{mangled}",
                place=Place(stem, dotted, old, new, alike[place]),
            )


def _functions(
    body: Iterable[cst.CSTNode], class_name: str | None = None
) -> Iterator[tuple[cst.FunctionDef, str | None]]:
    for statement in body:
        if isinstance(statement, cst.FunctionDef):
            yield statement, class_name
        elif isinstance(statement, cst.ClassDef) and class_name is None:
            yield from _functions(statement.body.body, statement.name.value)


def _difference(before: str, after: str) -> tuple[str, str]:
    """Give the lines that differ, old and new."""
    old, new = before.splitlines(), after.splitlines()
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    _, old_start, _, new_start, _ = changed[0]
    _, _, old_end, _, new_end = changed[-1]
    return _dedented(old[old_start:old_end]), _dedented(new[new_start:new_end])


def _dedented(lines: Sequence[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip()


def _undecorated(source: str) -> str:
    """Write `name = decorator(name)` after a function in place of its decorator.

    It means the same, and mutmut leaves decorated functions alone: properties, and what is cached.
    """
    return cst.parse_module(source).visit(_DecoratorsApplied()).code


class _DecoratorsApplied(cst.CSTTransformer):
    """Turns the decorators of functions into calls; those of classes stay."""

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.FlattenSentinel[cst.BaseStatement]:
        """Replace the decorators of one function."""
        if not updated_node.decorators:
            return updated_node
        value: cst.BaseExpression = cst.Name(updated_node.name.value)
        for decorator in reversed(updated_node.decorators):
            value = cst.Call(decorator.decorator, [cst.Arg(value)])
        target = cst.AssignTarget(cst.Name(updated_node.name.value))
        applied = cst.SimpleStatementLine([cst.Assign([target], value)])
        return cst.FlattenSentinel([updated_node.with_changes(decorators=()), applied])
