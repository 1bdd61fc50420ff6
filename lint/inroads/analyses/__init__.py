"""
The kinds of rules. A rule is data; a kind of rule is code.

`KINDS` is read in its order: each kind sees what the ones before it found.
"""

from __future__ import annotations

from typing import Any

from inroads.analyses import gap, order, swallow
from inroads.analyses.base import Kind

# Any: each kind has its own class of rules, and a rule is only ever given to its own kind.
# gap is last: it tells where the roads of the others meet a method that was forgotten.
KINDS: dict[str, Kind[Any]] = {
    "order": order.KIND,
    "swallow": swallow.KIND,
    "gap": gap.KIND,
}
