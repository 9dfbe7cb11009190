"""Generate the TypeScript code of the protocol from the files under `proto/ronda/v1`.

    python -m tools.generate_typescript            write clients/typescript/client/src/gen
    python -m tools.generate_typescript --check    compare with it, change nothing

The output is the same on every machine: it depends on the `.proto` files, on grpcio-tools, which
`constraints.txt` holds, and on ts-proto, which `package-lock.json` does. Without npm nothing can be
generated: then the check says so, and lets it pass.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.generate_protos import PROTO, GenerationError, contents, differences, update
from tools.node_packages import WORKSPACE, NodePackagesError, NoNpmError, ensure

GENERATED = WORKSPACE / "client" / "src" / "gen"
PLUGIN = WORKSPACE / "node_modules" / ".bin" / "protoc-gen-ts_proto"

OPTIONS = (
    "env=node",
    "esModuleInterop=true",
    "importSuffix=.js",
    # A call takes its message and gives its answer as in any other client of @grpc/grpc-js.
    "outputServices=grpc-js",
    # One of several is told apart by its name, so that the compiler knows what a branch holds.
    "oneof=unions-value",
    # Without it a part of a message must be of a type that no message has.
    "useExactTypes=false",
    "outputJsonMethods=false",
    "outputExtensions=false",
    "exportCommonSymbols=false",
    "unrecognizedEnum=false",
)


def generate(source: Path, output: Path) -> None:
    """Generate what belongs to the referee's protocol under `source` into the folder `output`.

    Raises:
        GenerationError: protoc refuses a file, or there is none.
        NodePackagesError: The generator is not installed and cannot be.
    """
    ensure()
    files = sorted(
        path.relative_to(source).as_posix() for path in (source / "ronda" / "v1").glob("*.proto")
    )
    if not files:
        message = f"no .proto file in {source / 'ronda' / 'v1'}"
        raise GenerationError(message)
    output.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc"),
        f"--proto_path={source}",
        f"--plugin=protoc-gen-ts_proto={PLUGIN}",
        f"--ts_proto_out={output}",
        f"--ts_proto_opt={','.join(OPTIONS)}",
        *files,
    ]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        message = f"protoc refused:\n{finished.stdout}{finished.stderr}".rstrip()
        raise GenerationError(message)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description="Generate the protocol's TypeScript code.")
    parser.add_argument("folder", nargs="?", type=Path, default=GENERATED, help="what to write")
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            generate(PROTO, Path(scratch))
        except (GenerationError, NodePackagesError) as error:
            if options.check and isinstance(error, NoNpmError):
                print(f"generate_typescript: NOT CHECKED: {error}", file=sys.stderr)
                return 0
            print(f"generate_typescript: {error}", file=sys.stderr)
            return 1
        expected = contents(Path(scratch))
        if not options.check:
            for line in update(expected, options.folder):
                print(f"{options.folder}: {line}, now mended")
            return 0
        changes = differences(expected, contents(options.folder))
        for line in changes:
            print(line, file=sys.stderr)
        if changes:
            print(
                f"generate_typescript: {options.folder} is not what the .proto files generate; "
                "`make proto` mends it.",
                file=sys.stderr,
            )
        return 1 if changes else 0


if __name__ == "__main__":
    sys.exit(main())
