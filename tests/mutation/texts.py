"""Which mutants change nothing but a text for people: they are left out.

What an error says, the values that it quotes and the clause that it cites are no part of the rules:
the specification gives reason codes, and the suite compares these alone. The field at fault, which
is a name, stays in.
"""

from collections.abc import Iterator

import libcst as cst
from mutmut.mutation.file_mutation import Mutation

# What these are made with: how many arguments, from the first, are more than text.
_ERRORS = {
    "AssertionError": 0,
    "DrawError": 0,
    "IllegalMove": 1,
    "NotationError": 0,
    "PositionError": 1,
    "RuleSetError": 1,
}
# Variables that hold texts and go into errors alone.
_TEXTS = frozenset({"detail", "now", "wanted", "who"})
_TEXTS_OF = {
    "announcements": frozenset({"word"}),
    "deal": frozenset({"text"}),
    "engine": frozenset({"text", "turn"}),
    "position_check": frozenset({"word"}),
}


class Texts(cst.CSTVisitor):
    """The texts for people in a module, which it visits."""

    def __init__(self, module_name: str, module: cst.Module) -> None:
        """Find them."""
        super().__init__()
        self._names = _TEXTS | _TEXTS_OF.get(module_name, frozenset())
        self._inside: set[int] = set()
        self._errors: dict[int, int] = {}
        module.visit(self)

    def alone(self, mutation: Mutation) -> bool:
        """Whether a mutation of the module changes nothing but a text for people."""
        old, new = mutation.original_node, mutation.mutated_node
        if id(old) in self._inside:
            return True
        if id(old) not in self._errors or not isinstance(old, cst.Call):
            return False
        kept = self._errors[id(old)]
        return isinstance(new, cst.Call) and [*new.args[:kept]] == [*old.args[:kept]]

    def visit_Call(self, node: cst.Call) -> None:
        """Take an error's arguments from the first text on."""
        if isinstance(node.func, cst.Name) and node.func.value in _ERRORS:
            kept = _ERRORS[node.func.value]
            self._errors[id(node)] = kept
            for argument in node.args[kept:]:
                self._inside.update(_all(argument))

    def visit_Assign(self, node: cst.Assign) -> None:
        """Take what is given to a variable that holds a text."""
        target = node.targets[0].target
        if isinstance(target, cst.Name) and target.value in self._names:
            self._inside.update(_all(node))

    def visit_Yield(self, node: cst.Yield) -> None:
        """Take the text of a field and what is wrong with it, where such a pair is given."""
        if isinstance(node.value, cst.Tuple):
            for element in node.value.elements[1:]:
                if isinstance(element.value, cst.BaseString):
                    self._inside.update(_all(element))


def _all(node: cst.CSTNode) -> Iterator[int]:
    yield id(node)
    for child in node.children:
        yield from _all(child)
