"""Strict YAML: one document, read along a message's descriptor, with the place of each value.

Files are YAML 1.2. Refused: anchors, aliases, tags, directives, a second document, a key twice, an
unknown key, a missing required key, a value of the wrong type.
"""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import DocumentStartEvent, Event
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.parser import Parser

Path_ = tuple[str | int, ...]

_STRUCT = "google.protobuf.Struct"
_TAG = "tag:yaml.org,2002:"


class DocumentError(Exception):
    """Something in a file that cannot be used; the message says where, what and what is right.

    Attributes:
        file: the file.
        line: the line, from 1.
        column: the column, from 1.
        problem: what is wrong and what would be right.
        path: the keys and indices down to the value at fault; empty: the file as a whole.
    """

    def __init__(self, file: Path, line: int, column: int, problem: str, path: Path_ = ()) -> None:
        """Join the parts to the message, as `file:line:column: problem`."""
        super().__init__(f"{file}:{line}:{column}: {problem}")
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
        self.path = path


@dataclass
class Document:
    """A file's values, ready for google.protobuf.json_format.ParseDict, and their places.

    Attributes:
        file: the file.
        values: the values, by the message's field names.
        places: line and column, from 1, of each value by its path of keys and indices.
        faults: what cannot be used, in the order of the file; its values are left out.
    """

    file: Path
    values: dict[str, object] = field(default_factory=dict)
    places: dict[Path_, tuple[int, int]] = field(default_factory=dict)
    faults: list[DocumentError] = field(default_factory=list)

    def error(self, path: Path_, problem: str) -> DocumentError:
        """Return an error at the value of a path, or at the nearest value around it."""
        place = path
        while place and place not in self.places:
            place = place[:-1]
        line, column = self.places.get(place, (1, 1))
        return DocumentError(self.file, line, column, problem, path)

    def is_at_fault(self, path: Path_) -> bool:
        """Return whether a value, or one that it is part of, cannot be used or is missing."""
        return any(fault.path and path[: len(fault.path)] == fault.path for fault in self.faults)


def read_document(
    file: Path,
    text: str,
    descriptor: Descriptor,
    given: Mapping[str, object] | None = None,
) -> Document:
    """Read a document as a message.

    Args:
        file: the file's name, for errors.
        text: its text.
        descriptor: the message whose fields are the keys.
        given: keys and values that stand elsewhere; the text must leave them out.

    Raises:
        DocumentError: the text is refused; the first fault.
    """
    document = read_with_faults(file, text, descriptor, given)
    if document.faults:
        raise document.faults[0]
    return document


def read_with_faults(
    file: Path,
    text: str,
    descriptor: Descriptor,
    given: Mapping[str, object] | None = None,
) -> Document:
    """Do as `read_document`, and note every fault in the document instead of raising the first.

    Raises:
        DocumentError: the text is no YAML, or has what is refused of YAML.
    """
    try:
        root = _strict(file).compose(text)
    except MarkedYAMLError as error:
        raise _syntax_error(file, error) from error
    except YAMLError as error:
        raise DocumentError(file, 1, 1, f"it is no YAML: {error}") from error
    except RecursionError as error:
        raise DocumentError(file, 1, 1, "the file is nested too deeply") from error
    if root is None:
        raise DocumentError(file, 1, 1, "the file is empty")
    document = Document(file)
    elsewhere = given or {}
    try:
        values = _Reader(document, elsewhere).message(root, descriptor, ())
    except DocumentError as fault:
        document.faults.append(fault)
        values = {}
    document.values = {**elsewhere, **values}
    return document


def _syntax_error(file: Path, error: MarkedYAMLError) -> DocumentError:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return DocumentError(file, line, column, f"it is no YAML: {error.problem or error.context}")


def _strict(file: Path) -> YAML:
    """Return a reader of YAML that refuses features as it comes to them, in one pass."""

    class StrictParser(Parser):
        documents = 0

        def get_event(self) -> Event:
            event: Event = super().get_event()
            if isinstance(event, DocumentStartEvent):
                self.documents += 1
            problem = _refused_feature(event, self.documents)
            if problem:
                mark = event.start_mark
                raise DocumentError(file, mark.line + 1, mark.column + 1, problem)
            return event

    yaml = YAML(typ="safe", pure=True)
    yaml.Parser = StrictParser
    return yaml


def _refused_feature(event: Event, documents: int) -> str:
    # Of an alias event too, `anchor` is the name.
    if getattr(event, "anchor", None) is not None:
        return "anchors and aliases are refused; write the value out"
    if getattr(event, "tag", None) is not None and _explicit_tag(event):
        return "tags are refused; leave it out"
    if isinstance(event, DocumentStartEvent):
        if event.version is not None or event.tags:
            return "directives are refused; files are YAML 1.2"
        if documents > 1:
            return "a second document is refused; one scenario a file"
    return ""


def _explicit_tag(event: object) -> bool:
    implicit = getattr(event, "implicit", True)
    return implicit in (False, (False, False))


def _type_name(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "a mapping"
    if isinstance(node, SequenceNode):
        return "a list"
    return f"{node.value!r}"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


class _Reader:
    """Turns nodes into values along descriptors, noting places and faults on the way."""

    def __init__(self, document: Document, given: Collection[str]) -> None:
        self._document = document
        self._given = given

    def _fail(self, node: Node, problem: str, path: Path_ = ()) -> DocumentError:
        mark = node.start_mark
        return DocumentError(self._document.file, mark.line + 1, mark.column + 1, problem, path)

    def _note_fault(self, fault: DocumentError, path: Path_) -> None:
        fault.path = fault.path or path
        self._document.faults.append(fault)

    def _note(self, node: Node, path: Path_) -> None:
        self._document.places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)

    def _pairs(self, node: Node, what: str) -> list[tuple[ScalarNode, Node]]:
        if not isinstance(node, MappingNode):
            raise self._fail(node, f"{_type_name(node)} where {what} is expected: a mapping")
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, ScalarNode):
                raise self._fail(key, f"{_type_name(key)} as a key; keys are single words")
            if key.value in seen:
                raise self._fail(key, f"the key {key.value!r} stands twice; keep one")
            seen.add(key.value)
        pairs: list[tuple[ScalarNode, Node]] = node.value
        return pairs

    def message(self, node: Node, descriptor: Descriptor, path: Path_) -> dict[str, object]:
        what = _with_article(descriptor.name.lower())
        pairs = self._pairs(node, what)
        self._note(node, path)
        fields = descriptor.fields_by_name
        given = () if path else self._given
        values: dict[str, object] = {}
        for key, child in pairs:
            if isinstance(child, ScalarNode) and not child.value:
                # A value left out is marked where the next one begins; its key is the place.
                child.start_mark = key.start_mark
            try:
                if key.value in given:
                    raise self._fail(key, f"the key {key.value!r} stands elsewhere; leave it out")
                if key.value not in fields:
                    near = _nearest(key.value, fields)
                    hint = f"did you mean {near[0]!r}?" if near else f"keys: {', '.join(fields)}"
                    raise self._fail(key, f"{what} has no key {key.value!r}; {hint}")
                values[key.value] = self._field(child, fields[key.value], (*path, key.value))
            except DocumentError as fault:
                self._note_fault(fault, (*path, key.value))
        named = {key.value for key, _ in pairs}
        # What a mistyped key was meant to be is not missing.
        named |= {near for key in named - set(fields) for near in _nearest(key, fields)}
        for name in required_keys(descriptor):
            if name not in named and name not in given:
                self._note_fault(self._fail(node, f"{what} lacks the key {name!r}"), (*path, name))
        return values

    def _field(self, node: Node, field_: FieldDescriptor, path: Path_) -> object:
        self._note(node, path)
        if field_.message_type is not None and field_.message_type.GetOptions().map_entry:
            return self._map(node, field_, path)
        if field_.is_repeated:
            if not isinstance(node, SequenceNode):
                raise self._fail(node, f"{field_.name}: {_type_name(node)} is no list")
            if not node.value:
                raise self._fail(
                    node, f"{field_.name}: an empty list says nothing; leave it out or say [none]"
                )
            return self._list(node.value, field_, path)
        return self._single(node, field_, path)

    def _list(self, nodes: list[Node], field_: FieldDescriptor, path: Path_) -> list[object]:
        values: list[object] = []
        for index, child in enumerate(nodes):
            try:
                values.append(self._single(child, field_, (*path, index)))
            except DocumentError as fault:
                self._note_fault(fault, (*path, index))
                # Those that follow keep their places.
                values.append({} if field_.message_type is not None else "")
        return values

    def _map(self, node: Node, field_: FieldDescriptor, path: Path_) -> dict[str, object]:
        entry = message_of(field_).fields_by_name
        result: dict[str, object] = {}
        for key, child in self._pairs(node, field_.name):
            try:
                if entry["key"].type != FieldDescriptor.TYPE_STRING and not key.value.isdecimal():
                    raise self._fail(key, f"{field_.name}: {key.value!r} is no number")
                result[key.value] = self._single(child, entry["value"], (*path, key.value))
            except DocumentError as fault:
                self._note_fault(fault, (*path, key.value))
        return result

    def _single(self, node: Node, field_: FieldDescriptor, path: Path_) -> object:
        self._note(node, path)
        if field_.message_type is not None:
            if field_.message_type.full_name == _STRUCT:
                return self._struct(node, field_.name, path)
            return self.message(node, field_.message_type, path)
        if not isinstance(node, ScalarNode):
            raise self._fail(node, f"{field_.name}: {_type_name(node)} is no single value")
        return self._scalar(node, field_)

    def _scalar(self, node: ScalarNode, field_: FieldDescriptor) -> object:
        kind = _kind(node)
        if field_.type == FieldDescriptor.TYPE_STRING:
            # A bare rank or a single seat reads as a number in YAML; here it is text all the same.
            text: str = node.value.strip()
            if kind == "null" or not text:
                raise self._fail(node, f"{field_.name}: it is empty; say `none` for nothing")
            return text
        if field_.type == FieldDescriptor.TYPE_BOOL:
            if kind != "bool":
                raise self._fail(node, f"{field_.name}: {node.value!r} is neither true nor false")
            return bool(node.value.lower() == "true")
        if kind != "int" or not node.value.isdecimal():
            raise self._fail(node, f"{field_.name}: {node.value!r} is no whole number")
        return int(node.value)

    def _struct(self, node: Node, name: str, path: Path_) -> Mapping[str, object]:
        result: dict[str, object] = {}
        for key, child in self._pairs(node, name):
            result[key.value] = self._free(child, (*path, key.value))
        return result

    def _free(self, node: Node, path: Path_) -> object:
        self._note(node, path)
        if isinstance(node, MappingNode):
            return self._struct(node, str(path[-1]), path)
        if isinstance(node, SequenceNode):
            return [self._free(child, (*path, index)) for index, child in enumerate(node.value)]
        match _kind(node):
            case "null":
                return None
            case "bool":
                return node.value.lower() == "true"
            case "int" if node.value.isdecimal():
                return int(node.value)
            case "str":
                return str(node.value)
        raise self._fail(node, f"{node.value!r} is no text, whole number, true, false or null")


def _nearest(key: str, fields: Collection[str]) -> list[str]:
    return difflib.get_close_matches(key, list(fields), n=1)


def _kind(node: Node) -> str:
    return (node.tag or "").removeprefix(_TAG)


def message_of(field_: FieldDescriptor) -> Descriptor:
    """Return the message that a field of message type holds."""
    if field_.message_type is None:
        message = f"{field_.full_name} holds no message"
        raise TypeError(message)
    return field_.message_type


def required_keys(descriptor: Descriptor) -> list[str]:
    """Return the keys a mapping must have: singular fields neither `optional` nor a message."""
    return [
        field_.name
        for field_ in descriptor.fields
        if not field_.is_repeated and field_.message_type is None and not field_.has_presence
    ]
