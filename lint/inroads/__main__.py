"""`python -m inroads`."""

from __future__ import annotations

from inroads.cli import start

start()
