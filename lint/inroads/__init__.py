"""Whole-program static analysis of Rust source: every road into a function, judged."""

from __future__ import annotations

__version__ = "0.1.0"
