"""What hatchling asks while it builds a wheel: with RONDA_COMPILED=1 it is partly compiled.

    RONDA_COMPILED=1 python -m build

The wheel then is for one Python version and platform, and holds beside the sources what
`tools/compile_modules.py` compiles of them, which Python takes first. Without the variable it is
the pure one as ever.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SWITCH = "RONDA_COMPILED"


class CompiledModules(BuildHookInterface):  # type: ignore[type-arg] # any builder's configuration
    """Puts the compiled modules into the wheel where that is wanted."""

    def dependencies(self) -> list[str]:
        """Give what the build needs beside hatchling."""
        wanted = ["mypy>=1.18", "setuptools>=77", "types-protobuf>=6.32"]
        return wanted if self._wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules and add them to the wheel.

        Raises:
            CompilationError: they cannot be compiled.
        """
        if not self._wanted() or version == "editable":
            return
        # The build backend does not import from the folder that it builds.
        sys.path.insert(0, self.root)
        try:
            from tools.compile_modules import compile_modules  # noqa: PLC0415 - as said above
        finally:
            sys.path.remove(self.root)
        # It is read until the wheel is written, and goes with this process.
        self._folder = tempfile.TemporaryDirectory(prefix="ronda-compiled-")
        folder = Path(self._folder.name)
        compiled = compile_modules(folder, Path(self.root))
        build_data["force_include"] |= {str(folder / path): str(path) for path in compiled}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def _wanted(self) -> bool:
        return os.environ.get(_SWITCH, "") not in {"", "0"}
