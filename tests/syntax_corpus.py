"""The corpus of odd syntax: snippets of Rust by name, for any test that wants to hold for all of it."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "syntax"


def snippets() -> dict[str, str]:
    """Each snippet by its name."""
    found: dict[str, str] = {}
    for path in sorted(_FOLDER.glob("*.rs")):
        for part in path.read_text("utf-8").split("// == ")[1:]:
            name, _, text = part.partition("\n")
            found[f"{path.stem}: {name}"] = text
    return found
