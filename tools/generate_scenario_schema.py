"""Generate the JSON schema of scenario files from the `.proto` files, for editors.

    python tools/generate_scenario_schema.py           write conformance/suites/scenario.schema.json
    python tools/generate_scenario_schema.py --check   compare with it, change nothing

What a key is for is said in the schema by the comments of the `.proto` files.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
SCHEMA = ROOT / "conformance" / "suites" / "scenario.schema.json"
FILES = (
    "ronda/conformance/v1/scenario.proto",
    "ronda/v1/error.proto",
    "ronda/v1/rule_set.proto",
)

SCENARIO = ".ronda.conformance.v1.Scenario"
EXPECTATION = ".ronda.conformance.v1.Expectation"
RULE_SET = ".ronda.v1.RuleSet"
REASON = ".ronda.v1.ErrorReason"
STRUCT = ".google.protobuf.Struct"

Field = descriptor_pb2.FieldDescriptorProto
Json = dict[str, object]

WHOLE_NUMBER: Json = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
# A bare rank or a single seat reads as a number in YAML; here it is text all the same.
TEXT: Json = {"type": ["string", "integer"]}


class GenerationError(Exception):
    """The schema could not be generated; the message says why."""


class Descriptors:
    """The messages and enumerations of the `.proto` files, with their comments, by full name."""

    def __init__(self, files: descriptor_pb2.FileDescriptorSet) -> None:
        self.messages: dict[str, descriptor_pb2.DescriptorProto] = {}
        self.enums: dict[str, descriptor_pb2.EnumDescriptorProto] = {}
        self._comments: dict[tuple[str, ...], str] = {}
        for file in files.file:
            comments = {
                tuple(part.path): part.leading_comments for part in file.source_code_info.location
            }
            for number, message in enumerate(file.message_type):
                name = f".{file.package}.{message.name}"
                self.messages[name] = message
                for index, field in enumerate(message.field):
                    text = " ".join(comments.get((4, number, 2, index), "").split())
                    self._comments[name, field.name] = text
                for nested in message.nested_type:
                    self.messages[f"{name}.{nested.name}"] = nested
            for enum in file.enum_type:
                self.enums[f".{file.package}.{enum.name}"] = enum

    def comment(self, message: str, field: str) -> str:
        """Return the comment of a field, on one line."""
        return self._comments.get((message, field), "")

    def words(self, enum: str) -> list[str]:
        """Return the short words of an enumeration, without the unset one."""
        names = [value.name for value in self.enums[enum].value]
        prefix = names[0].removesuffix("UNSPECIFIED")
        return [name.removeprefix(prefix) for name in names[1:]]

    def prefix(self, enum: str) -> str:
        """Return the prefix of an enumeration's values."""
        return self.enums[enum].value[0].name.removesuffix("UNSPECIFIED")


def read_descriptors() -> Descriptors:
    """Return what protoc makes of the `.proto` files.

    Raises:
        GenerationError: protoc refuses them.
    """
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "descriptors"
        command = [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"--proto_path={PROTO}",
            "--include_source_info",
            f"--descriptor_set_out={output}",
            *FILES,
        ]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode != 0:
            message = f"protoc refused:\n{finished.stdout}{finished.stderr}".rstrip()
            raise GenerationError(message)
        return Descriptors(descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes()))


def message_schema(descriptors: Descriptors, name: str, *, strict: bool) -> Json:
    """Return the schema of a message.

    Args:
        descriptors: where it is described.
        name: its full name.
        strict: whether singular scalars that are not `optional` are required.
    """
    message = descriptors.messages[name]
    properties: Json = {}
    required: list[str] = []
    for field in message.field:
        schema = field_schema(descriptors, name, field)
        comment = descriptors.comment(name, field.name)
        properties[field.name] = {"description": comment, **schema} if comment else schema
        single = field.label != Field.LABEL_REPEATED and field.type != Field.TYPE_MESSAGE
        if single and not field.proto3_optional:
            required.append(field.name)
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    if strict and required:
        schema["required"] = required
    return schema


def field_schema(descriptors: Descriptors, message: str, field: Field) -> Json:
    """Return the schema of a field."""
    special = special_schema(descriptors, message, field)
    if special is not None:
        return special
    entry = descriptors.messages.get(field.type_name)
    if entry is not None and entry.options.map_entry:
        key, value = entry.field
        keys: Json = {} if key.type == Field.TYPE_STRING else {"pattern": "^[0-9]+$"}
        return {
            "type": "object",
            "propertyNames": keys,
            "additionalProperties": single_schema(descriptors, value),
        }
    if field.label == Field.LABEL_REPEATED:
        smallest: Json = {} if message == RULE_SET else {"minItems": 1}
        return {"type": "array", "items": single_schema(descriptors, field), **smallest}
    return single_schema(descriptors, field)


def single_schema(descriptors: Descriptors, field: Field) -> Json:
    """Return the schema of one value of a field."""
    if field.type == Field.TYPE_MESSAGE:
        in_rule_set = field.type_name.startswith(".ronda.v1.")
        return message_schema(descriptors, field.type_name, strict=not in_rule_set)
    if field.type == Field.TYPE_ENUM:
        words = descriptors.words(field.type_name)
        return {"enum": [*words, *(descriptors.prefix(field.type_name) + word for word in words)]}
    if field.type == Field.TYPE_BOOL:
        return {"type": "boolean"}
    return TEXT if field.type == Field.TYPE_STRING else WHOLE_NUMBER


def special_schema(descriptors: Descriptors, message: str, field: Field) -> Json | None:
    """Return the schema of a field whose texts are of one form, else None."""
    match message, field.name:
        case (".ronda.conformance.v1.Scenario", "id"):
            return {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
        case (".ronda.conformance.v1.Scenario", "clauses"):
            clause = {"type": "string", "pattern": "^[A-Z]+-[1-9][0-9]*$"}
            return {"type": "array", "items": clause, "minItems": 1, "uniqueItems": True}
        case (".ronda.conformance.v1.Scenario", "seats"):
            return {"enum": [2, 3, 4]}
        case (".ronda.conformance.v1.Scenario", "changes"):
            schema = message_schema(descriptors, RULE_SET, strict=False)
            properties = schema["properties"]
            if not isinstance(properties, dict):
                raise GenerationError(f"{RULE_SET} has no properties")
            schema["properties"] = {
                name: {"anyOf": [value, {"type": "null"}]} for name, value in properties.items()
            }
            return schema
        case (".ronda.conformance.v1.Step", "move"):
            moves = "play .+|announce (ronda|tringa|double_ronda)|pass|(challenge|claim) [0-3]"
            return {"type": "string", "pattern": f"^({moves})$"}
        case (".ronda.conformance.v1.Expectation", "refused"):
            return {"enum": descriptors.words(REASON)}
    return None


def schema_text() -> str:
    """Return the schema as the text of its file.

    Raises:
        GenerationError: protoc refuses the `.proto` files.
    """
    schema: Json = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario of the Ronda conformance suite",
        "$comment": "Generated by tools/generate_scenario_schema.py; do not edit.",
        **message_schema(read_descriptors(), SCENARIO, strict=True),
    }
    required = schema["required"]
    if not isinstance(required, list):
        raise GenerationError("a scenario requires nothing")
    schema["required"] = [*required, "clauses"]
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="Generate the JSON schema of scenario files.")
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    options = parser.parse_args(arguments)
    try:
        text = schema_text()
    except GenerationError as error:
        print(f"generate_scenario_schema: {error}", file=sys.stderr)
        return 1
    current = SCHEMA.read_text(encoding="utf-8") if SCHEMA.exists() else ""
    if text == current:
        return 0
    if options.check:
        print(
            f"generate_scenario_schema: {SCHEMA} is not what the .proto files generate; "
            f"`python {Path(__file__).relative_to(ROOT)}` mends it.",
            file=sys.stderr,
        )
        return 1
    SCHEMA.parent.mkdir(parents=True, exist_ok=True)
    SCHEMA.write_text(text, encoding="utf-8")
    print(f"{SCHEMA}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
