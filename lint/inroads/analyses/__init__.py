"""
The kinds of rules. A rule is data; a kind of rule is code.

`KINDS` is read in its order: each kind sees what the ones before it found.
"""

from __future__ import annotations

from typing import Any

from inroads.analyses.base import Kind

# Any: each kind has its own class of rules, and a rule is only ever given to its own kind.
KINDS: dict[str, Kind[Any]] = {}
