"""
The control-flow graph of a judged function: blocks of events, with the place of every operand.

`lower(judged, tables)` makes it; `model` has its nouns.
"""
