"""Revisions and the index are read from git's objects, as they are there and not as the disk says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from inroads.changes import ObjectTree, Repository, index_tree, revision_tree, working_tree
from inroads.errors import RevisionError, UsageError
from inroads.workspace.tree import content_key


def git(where: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ("git", *identity, *arguments), cwd=where, capture_output=True, check=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit that holds `src/lib.rs` ("one") and `docs/ä b.rs`."""
    where = tmp_path / "project"
    where.mkdir()
    git(where, "init", "-q", "-b", "main")
    write(where, "src/lib.rs", "one")
    write(where, "docs/ä b.rs", "text")
    git(where, "add", ".")
    git(where, "commit", "-qm", "first")
    return where


def write(where: Path, path: str, text: str) -> None:
    place = where / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def texts(tree: ObjectTree) -> dict[str, str]:
    try:
        return {path: tree.read(path).decode() for path in tree.list()}
    finally:
        tree.close()


def test_a_revision_is_read_without_the_disk(project: Path) -> None:
    write(project, "src/lib.rs", "two")
    (project / "docs/ä b.rs").unlink()
    tree = revision_tree(Repository.around(project), "HEAD")
    assert texts(tree) == {"src/lib.rs": "one", "docs/ä b.rs": "text"}


def test_the_index_holds_what_is_staged_and_nothing_else(project: Path) -> None:
    write(project, "src/lib.rs", "staged")
    git(project, "add", ".")
    write(project, "src/lib.rs", "unstaged")
    write(project, "src/new.rs", "untracked")
    assert texts(index_tree(Repository.around(project)))["src/lib.rs"] == "staged"
    assert "src/new.rs" not in index_tree(Repository.around(project)).list()


def test_the_working_tree_has_untracked_files_but_no_ignored_and_no_deleted_ones(project: Path) -> None:
    write(project, ".gitignore", "*.tmp\n")
    write(project, "src/new.rs", "n")
    write(project, "src/a.tmp", "t")
    (project / "docs/ä b.rs").unlink()
    assert working_tree(Repository.around(project)).list() == ("src/lib.rs", "src/new.rs")


def test_equal_bytes_have_equal_keys_in_every_tree(project: Path) -> None:
    repository = Repository.around(project)
    keys = {
        tree.key("src/lib.rs")
        for tree in (revision_tree(repository, "HEAD"), index_tree(repository), working_tree(repository))
    }
    assert keys == {content_key(b"one")}


def test_a_folder_below_the_top_sees_its_own_files(project: Path) -> None:
    repository = Repository.around(project / "src")
    assert revision_tree(repository, "HEAD").list() == ("lib.rs",)
    assert index_tree(repository).list() == ("lib.rs",)
    assert working_tree(repository).list() == ("lib.rs",)


def test_a_detached_head_and_a_worktree_work(project: Path, tmp_path: Path) -> None:
    git(project, "worktree", "add", "-q", "--detach", str(tmp_path / "other"))
    write(tmp_path / "other", "src/lib.rs", "there")
    git(tmp_path / "other", "add", ".")
    repository = Repository.around(tmp_path / "other")
    assert texts(index_tree(repository))["src/lib.rs"] == "there"
    assert texts(revision_tree(repository, "HEAD"))["src/lib.rs"] == "one"


def test_a_submodule_is_read_at_the_recorded_commit(project: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    git(inner, "init", "-q", "-b", "main")
    write(inner, "lib.rs", "recorded")
    git(inner, "add", ".")
    git(inner, "commit", "-qm", "inner")
    git(project, "submodule", "add", "-q", str(inner), "vendor/inner")
    git(project, "commit", "-qm", "add a submodule")
    write(project, "vendor/inner/lib.rs", "changed")
    git(project / "vendor/inner", "add", ".")
    repository = Repository.around(project)
    assert texts(revision_tree(repository, "HEAD"))["vendor/inner/lib.rs"] == "recorded"
    assert texts(index_tree(repository))["vendor/inner/lib.rs"] == "recorded"
    assert "vendor/inner/lib.rs" in working_tree(repository).list()


def test_a_symbolic_link_is_not_read(project: Path) -> None:
    (project / "src/link.rs").symlink_to("/etc/passwd")
    git(project, "add", ".")
    repository = Repository.around(project)
    assert "src/link.rs" not in index_tree(repository).list()
    assert "src/link.rs" not in working_tree(repository).list()


def test_of_a_conflict_our_side_is_read(project: Path) -> None:
    git(project, "checkout", "-qb", "theirs")
    write(project, "src/lib.rs", "theirs")
    git(project, "commit", "-qam", "theirs")
    git(project, "checkout", "-q", "main")
    write(project, "src/lib.rs", "ours")
    git(project, "commit", "-qam", "ours")
    with pytest.raises(subprocess.CalledProcessError):
        git(project, "merge", "theirs")
    assert texts(index_tree(Repository.around(project)))["src/lib.rs"] == "ours"


def test_a_missing_revision_says_how_to_fetch_it(project: Path) -> None:
    with pytest.raises(RevisionError, match="git fetch origin release"):
        Repository.around(project).commit("origin/release")


def test_a_shallow_clone_says_how_to_get_the_base(project: Path, tmp_path: Path) -> None:
    write(project, "src/lib.rs", "two")
    git(project, "commit", "-qam", "second")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{project}", "shallow")
    repository = Repository.around(tmp_path / "shallow")
    assert texts(revision_tree(repository, "HEAD"))["src/lib.rs"] == "two"
    with pytest.raises(RevisionError, match="git fetch --unshallow"):
        repository.commit("HEAD~1")


def test_the_merge_base_is_where_a_branch_was_left(project: Path) -> None:
    first = git(project, "rev-parse", "HEAD")
    git(project, "checkout", "-qb", "work")
    git(project, "commit", "-q", "--allow-empty", "-m", "on work")
    git(project, "checkout", "-q", "main")
    git(project, "commit", "-q", "--allow-empty", "-m", "on main")
    git(project, "checkout", "-q", "work")
    assert Repository.around(project).merge_base("main") == first


def test_a_folder_without_git_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git working tree"):
        Repository.around(tmp_path)


def test_a_revision_cannot_be_an_option(project: Path) -> None:
    with pytest.raises(RevisionError):
        Repository.around(project).commit("--output=x")


def test_before_the_first_commit_no_revision_can_be_fetched(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    with pytest.raises(RevisionError, match="there is no commit in this repository yet"):
        Repository.around(tmp_path).commit("HEAD")
