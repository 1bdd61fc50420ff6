"""From a tree of files to the crates that stand in it, without cargo."""

from __future__ import annotations

from inroads.workspace.discover import discover as discover
from inroads.workspace.model import (
    CrateRoot as CrateRoot,
    Dependency as Dependency,
    Package as Package,
    Workspace as Workspace,
)
from inroads.workspace.tree import (
    Dated as Dated,
    DirectoryTree as DirectoryTree,
    MemoryTree as MemoryTree,
    Tree as Tree,
)
