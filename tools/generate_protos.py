"""Generate the Python code of the protocol from the files under `proto/`.

    python tools/generate_protos.py            write proto/gen
    python tools/generate_protos.py FOLDER     write another folder
    python tools/generate_protos.py --check    compare with proto/gen, change nothing

The output is the same on every machine: it depends on the `.proto` files and on the versions of
grpcio-tools and mypy-protobuf, which `constraints.txt` holds.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
GENERATED = PROTO / "gen"

# Every package of the output, with the docstring of its `__init__.py`.
PACKAGES = {
    "ronda": "Ronda's protocol. Generated from the files under `proto/`; do not edit.",
    "ronda/v1": "The referee's protocol, version 1. Generated; do not edit.",
    "ronda/conformance": "The conformance protocol. Generated; do not edit.",
    "ronda/conformance/v1": "The conformance protocol, version 1. Generated; do not edit.",
}


# A servicer's context is generic in the two messages. mypy-protobuf names instead what the handler
# takes and returns, so that the context's read() and write() would be typed wrongly.
CONTEXT = re.compile(r"_aio\.ServicerContext\[.*\]")
WRAPPED = re.compile(r"_abc\.\w+\[([\w.]+)\]")


class GenerationError(Exception):
    """The code could not be generated; the message says why."""


def proto_files(source: Path) -> list[str]:
    """Return every `.proto` file under `source`, relative to it, in a stable order.

    Raises:
        GenerationError: there is none.
    """
    files = sorted(
        path.relative_to(source).as_posix() for path in (source / "ronda").rglob("*.proto")
    )
    if not files:
        message = f"no .proto file under {source / 'ronda'}"
        raise GenerationError(message)
    return files


def plugin(name: str) -> str:
    """Return protoc's option for a plugin that is installed beside this interpreter.

    Raises:
        GenerationError: it is not installed there.
    """
    program = Path(sys.executable).parent / name
    if not program.exists():
        message = f"{name} is not installed beside {sys.executable}: run `make venv` first"
        raise GenerationError(message)
    return f"--plugin={name}={program}"


def plain_context(context: re.Match[str]) -> str:
    """Return a context's type with the two messages bare."""
    return WRAPPED.sub(r"\1", context[0])


def generate(source: Path, output: Path) -> None:
    """Generate everything under `source` into the empty or absent folder `output`.

    Raises:
        GenerationError: a tool is missing, or protoc refuses a file.
    """
    output.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        f"--proto_path={source}",
        plugin("protoc-gen-mypy"),
        plugin("protoc-gen-mypy_grpc"),
        f"--python_out={output}",
        f"--grpc_python_out={output}",
        f"--mypy_out=quiet:{output}",
        # Both sides of ours are asyncio: typed for it alone, a stub's calls are typed exactly.
        f"--mypy_grpc_out=quiet,only_async:{output}",
        *proto_files(source),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        message = f"protoc refused:\n{finished.stdout}{finished.stderr}".rstrip()
        raise GenerationError(message)
    for path in output.rglob("*_pb2_grpc.py"):
        # protoc writes one for every file, with nothing but a version check where no service is.
        if "Stub(" not in path.read_text(encoding="utf-8"):
            path.unlink()
            path.with_suffix(".pyi").unlink(missing_ok=True)
    for path in output.rglob("*_pb2_grpc.pyi"):
        text = path.read_text(encoding="utf-8")
        path.write_text(CONTEXT.sub(plain_context, text), encoding="utf-8")
    for package, docstring in PACKAGES.items():
        folder = output / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text(f'"""{docstring}"""\n', encoding="utf-8")
    (output / "ronda" / "py.typed").write_bytes(b"")


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file under `folder`, by relative path, without byte code."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def differences(expected: dict[str, bytes], actual: dict[str, bytes]) -> list[str]:
    """Return one line for every file that is missing, left over or different."""
    lines = []
    for name in sorted(expected.keys() | actual.keys()):
        if name not in actual:
            lines.append(f"missing: {name}")
        elif name not in expected:
            lines.append(f"left over: {name}")
        elif expected[name] != actual[name]:
            lines.append(f"different: {name}")
    return lines


def update(expected: dict[str, bytes], target: Path) -> list[str]:
    """Make `target` hold exactly `expected`, touching only what differs.

    Returns:
        What was done, in the words of `differences`.
    """
    actual = contents(target)
    changes = differences(expected, actual)
    for name in actual.keys() - expected.keys():
        (target / name).unlink()
    for name, content in expected.items():
        if actual.get(name) != content:
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for folder in sorted((path for path in target.rglob("*") if path.is_dir()), reverse=True):
        if not any(path.name != "__pycache__" for path in folder.iterdir()):
            shutil.rmtree(folder)
    return changes


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="Generate the protocol's Python code.")
    parser.add_argument("folder", nargs="?", type=Path, default=GENERATED, help="what to write")
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            generate(PROTO, Path(scratch))
        except GenerationError as error:
            print(f"generate_protos: {error}", file=sys.stderr)
            return 1
        expected = contents(Path(scratch))
        if options.check:
            changes = differences(expected, contents(options.folder))
            for line in changes:
                print(line, file=sys.stderr)
            if changes:
                print(
                    f"generate_protos: {options.folder} is not what the .proto files generate; "
                    "`make proto` mends it.",
                    file=sys.stderr,
                )
            return 1 if changes else 0
        for line in update(expected, options.folder):
            print(f"{options.folder}: {line}, now mended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
