"""From a tree of files to the crates that stand in it, without cargo."""

from __future__ import annotations

from inroads.workspace.discover import discover as discover
from inroads.workspace.model import CrateRoot as CrateRoot
from inroads.workspace.model import Dependency as Dependency
from inroads.workspace.model import Package as Package
from inroads.workspace.model import Workspace as Workspace
from inroads.workspace.tree import DirectoryTree as DirectoryTree
from inroads.workspace.tree import MemoryTree as MemoryTree
from inroads.workspace.tree import Tree as Tree
