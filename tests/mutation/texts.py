"""Which mutants change nothing but a text for people: they are left out.

What an error says, and the values that it quotes, is no part of the rules: the specification gives
reason codes, and the suite compares these alone. The field at fault, which is a name, stays in.
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


def is_text_alone(module_name: str, mutation: Mutation, module: cst.Module) -> bool:
    """Whether a mutation of a module changes nothing but a text for people."""
    function = mutation.contained_by_top_level_function
    if function is None:
        return False
    names = _TEXTS | _TEXTS_OF.get(module_name, frozenset())
    visitor = _Texts(names)
    function.visit(visitor)
    if id(mutation.original_node) in visitor.inside:
        return True
    kept = visitor.calls.get(id(mutation.original_node))
    if kept is None or not isinstance(mutation.mutated_node, cst.Call):
        return False
    original = mutation.original_node
    if not isinstance(original, cst.Call):
        return False
    pairs = zip(original.args[:kept], mutation.mutated_node.args[:kept], strict=False)
    return len(mutation.mutated_node.args) >= kept and all(old is new for old, new in pairs)


class _Texts(cst.CSTVisitor):
    """Collects the nodes of texts, and the calls that make errors of them."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names
        self.inside: set[int] = set()
        self.calls: dict[int, int] = {}

    def visit_Call(self, node: cst.Call) -> None:
        """Take an error's arguments from the first text on."""
        if isinstance(node.func, cst.Name) and node.func.value in _ERRORS:
            kept = _ERRORS[node.func.value]
            self.calls[id(node)] = kept
            for argument in node.args[kept:]:
                self.inside.update(_all(argument))

    def visit_Assign(self, node: cst.Assign) -> None:
        """Take what is given to a variable that holds a text."""
        target = node.targets[0].target
        if isinstance(target, cst.Name) and target.value in self.names:
            self.inside.update(_all(node))

    def visit_Yield(self, node: cst.Yield) -> None:
        """Take the text of a field and what is wrong with it, where such a pair is given."""
        if isinstance(node.value, cst.Tuple):
            for element in node.value.elements[1:]:
                if isinstance(element.value, cst.BaseString):
                    self.inside.update(_all(element))


def _all(node: cst.CSTNode) -> Iterator[int]:
    yield id(node)
    for child in node.children:
        yield from _all(child)
