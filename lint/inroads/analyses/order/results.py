"""What kind of value a call gives, as far as success is concerned."""

from __future__ import annotations

from inroads.resolve.types import Adt, Opaque as OpaqueType, Type, Unknown


def result_kind(type_: Type) -> str:
    """Whether a value is a Result ("result"), something else ("plain") or can't be told ("unknown")."""
    match type_:
        case Adt(path=path):
            return "result" if path.rpartition("::")[2] == "Result" else "plain"
        case OpaqueType(bounds=bounds):
            for bound in bounds:
                for name, output in bound.bindings:
                    if name == "Output":
                        return result_kind(output)
            return "plain"
        case Unknown():
            return "unknown"
        case _:
            return "plain"
