"""From a tree of files to crates."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest
from pathspec import GitIgnoreSpec

from inroads.resolve.modules import link
from inroads.rust.extract import extract
from inroads.workspace import DirectoryTree, MemoryTree, Workspace, discover
from inroads.workspace.ignore import MANY, Layer


def found(files: dict[str, str]) -> Workspace:
    return discover(MemoryTree({path: text.encode() for path, text in files.items()}))


def roots(workspace: Workspace) -> list[tuple[str, str, str]]:
    return [(crate.kind, crate.name, crate.root) for crate in workspace.crates]


def package(name: str, more: str = "") -> str:
    return f'[package]\nname = "{name}"\nedition = "2021"\n{more}'


def test_the_targets_that_cargo_finds_by_itself() -> None:
    workspace = found(
        {
            "Cargo.toml": package("my-app"),
            "src/lib.rs": "",
            "src/main.rs": "",
            "src/bin/tool.rs": "",
            "src/bin/big/main.rs": "",
            "src/bin/big/part.rs": "",
            "tests/all.rs": "",
            "tests/common/mod.rs": "",
            "examples/show.rs": "",
            "benches/speed.rs": "",
            "build.rs": "",
        }
    )
    assert roots(workspace) == [
        ("lib", "my_app", "src/lib.rs"),
        ("bin", "big", "src/bin/big/main.rs"),
        ("bin", "my_app", "src/main.rs"),
        ("bin", "tool", "src/bin/tool.rs"),
        ("example", "show", "examples/show.rs"),
        ("test", "all", "tests/all.rs"),
        ("bench", "speed", "benches/speed.rs"),
        ("build", "build_script_build", "build.rs"),
    ]
    assert "src/bin/big/part.rs" in workspace.files


def test_targets_with_a_path_of_their_own() -> None:
    workspace = found(
        {
            "Cargo.toml": package("a", 'autobins = false\nbuild = "make.rs"\n')
            + '[lib]\nname = "other"\npath = "code/root.rs"\nproc-macro = true\n'
            + '[[bin]]\nname = "x-y"\npath = "code/x.rs"\nedition = "2018"\n'
            + '[[test]]\nname = "slow"\nharness = false\n',
            "code/root.rs": "",
            "code/x.rs": "",
            "src/bin/ignored.rs": "",
            "tests/slow.rs": "",
            "make.rs": "",
        }
    )
    assert roots(workspace) == [
        ("lib", "other", "code/root.rs"),
        ("bin", "x_y", "code/x.rs"),
        ("test", "slow", "tests/slow.rs"),
        ("build", "build_script_build", "make.rs"),
    ]
    assert workspace.crates[0].proc_macro
    assert workspace.crates[1].edition == "2018"
    assert not workspace.crates[2].harness


def test_members_by_glob_less_the_excluded_ones() -> None:
    workspace = found(
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*", "tools"]\nexclude = ["crates/old"]\n',
            "crates/a/Cargo.toml": package("a"),
            "crates/a/src/lib.rs": "",
            "crates/a/deep/Cargo.toml": package("deep"),
            "crates/a/deep/src/lib.rs": "",
            "crates/old/Cargo.toml": package("old"),
            "crates/old/src/lib.rs": "",
            "tools/Cargo.toml": package("tools"),
            "tools/src/main.rs": "",
        }
    )
    assert [one.name for one in workspace.packages] == ["a", "tools"]
    assert "crates/old/src/lib.rs" in workspace.files


def test_excluded_globs_count_with_all_that_is_below() -> None:
    package = '[package]\nname = "{}"\n'
    files = {"Cargo.toml": '[workspace]\nmembers = ["**"]\nexclude = ["old-*", "a/x"]\n'}
    for name in ("a", "a/x", "old-b/deep", "c"):
        files[f"{name}/Cargo.toml"] = package.format(name.replace("/", "-"))
        files[f"{name}/src/lib.rs"] = ""
    assert [one.directory for one in found(files).packages] == ["a", "c"]


def test_lines_that_are_no_patterns_are_passed_over_in_ignore_files(tmp_path: Path) -> None:
    tree = written(tmp_path, {"a.rs": "", "b.rs": "", ".gitignore": "!\n\\\n[\nx[b-a]\na.rs\n"})
    assert tree.list() == ("b.rs",)


def test_path_dependencies_are_followed_and_named() -> None:
    workspace = found(
        {
            "Cargo.toml": package(
                "app",
                '[dependencies]\nmy-core = { path = "core" }\nnick = { package = "renamed", path = "other" }\n'
                'serde = "1"\n[dev-dependencies]\nhelper = { path = "helper" }\n'
                "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n",
            ),
            "src/lib.rs": "",
            "src/main.rs": "",
            "core/Cargo.toml": package("my-core", '[lib]\nname = "corelib"\n'),
            "core/src/lib.rs": "",
            "other/Cargo.toml": package("renamed"),
            "other/src/lib.rs": "",
            "helper/Cargo.toml": package("helper"),
            "helper/src/lib.rs": "",
        }
    )
    library = workspace.crates[0]
    assert library.name == "app"
    names = {name: workspace.crates[at].root for name, at in library.dependencies}
    assert names == {
        "corelib": "core/src/lib.rs",
        "nick": "other/src/lib.rs",
        "helper": "helper/src/lib.rs",
    }
    assert library.foreign == ("libc", "serde")
    assert ("app", 0) in workspace.crates[1].dependencies


def test_what_the_workspace_shares() -> None:
    workspace = found(
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n[workspace.package]\nedition = "2024"\n'
            '[workspace.dependencies]\nb = { path = "b" }\nx = { package = "y", version = "1" }\n'
            '[patch.crates-io]\npatched = { path = "c" }\n',
            "a/Cargo.toml": '[package]\nname = "a"\nedition.workspace = true\n'
            '[dependencies]\nb.workspace = true\nx = { workspace = true }\npatched = "1"\n',
            "a/src/lib.rs": "",
            "b/Cargo.toml": package("b"),
            "b/src/lib.rs": "",
            "c/Cargo.toml": package("patched"),
            "c/src/lib.rs": "",
        }
    )
    first = workspace.packages[0]
    assert first.edition == "2024"
    assert [(one.name, one.package, one.target) for one in first.dependencies] == [
        ("b", "b", 1),
        ("patched", "patched", 2),
        ("x", "y", None),
    ]


@pytest.mark.parametrize(
    "manifest",
    [
        "[package\n",
        '[package]\nname = "a"\n[lib]\npath = "/etc/passwd"\n',
        '[package]\nname = "a"\n[dependencies]\nx = { path = "../../outside" }\n',
        '[workspace]\nmembers = ["../*"]\n',
        '[workspace]\nmembers = ["missing"]\n',
        '[workspace]\nmembers = ["crates/["]\n',
        '[package]\nname = "a"\n[[bin]]\nname = "x"\npath = "missing.rs"\n',
    ],
)
def test_a_manifest_that_cannot_be_followed_is_a_problem(manifest: str) -> None:
    workspace = found({"Cargo.toml": manifest, "src/main.rs": "fn main() {}"})
    assert [one.kind for one in workspace.problems] == ["manifest"]
    assert roots(workspace) != []


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "package = 3",
        "[package]\nname = 3\n",
        "workspace = []",
        '[package]\nname = "a"\ndependencies = 3\n',
        "lib = 3",
    ],
)
def test_a_manifest_of_odd_shape_is_no_crash(manifest: str) -> None:
    assert found({"Cargo.toml": manifest, "src/lib.rs": ""}).files == ("src/lib.rs",)


def test_the_place_of_a_mistake_in_a_manifest_is_told() -> None:
    [problem] = found({"Cargo.toml": "[package]\nname = = 1\n", "src/lib.rs": ""}).problems
    assert (problem.path, problem.line) == ("Cargo.toml", 2)


def test_without_a_manifest_what_no_file_declares_begins_a_crate() -> None:
    workspace = found(
        {
            "main.rs": "mod a; fn main() {}",
            "a.rs": "mod b;",
            "a/b.rs": "",
            "single.rs": "",
            "tool.rs": "fn main() {}",
        }
    )
    assert roots(workspace) == [
        ("bin", "crate_root", "main.rs"),
        ("lib", "single", "single.rs"),
        ("bin", "tool", "tool.rs"),
    ]


def test_several_manifests_without_one_at_the_root() -> None:
    workspace = found(
        {
            "one/Cargo.toml": package("one"),
            "one/src/lib.rs": "",
            "two/Cargo.toml": package("two", '[dependencies]\none = { path = "../one" }\n'),
            "two/src/lib.rs": "",
        }
    )
    assert roots(workspace) == [("lib", "one", "one/src/lib.rs"), ("lib", "two", "two/src/lib.rs")]
    assert workspace.crates[1].dependencies == (("one", 0),)


def test_the_order_of_files_does_not_matter() -> None:
    files = {"Cargo.toml": package("a"), "src/lib.rs": "", "src/main.rs": "", "tests/x.rs": ""}
    assert found(files) == found(dict(reversed(files.items())))


def written(root: Path, files: dict[str, str]) -> DirectoryTree:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return DirectoryTree(root)


def test_what_git_ignores_is_left_out_at_all_levels(tmp_path: Path) -> None:
    tree = written(
        tmp_path,
        {
            ".gitignore": "/gen\n*.tmp.rs\n!keep.tmp.rs\n",
            "gen/a.rs": "",
            "x.tmp.rs": "",
            "keep.tmp.rs": "",
            "src/.gitignore": "hidden.rs\n",
            "src/hidden.rs": "",
            "src/gen/b.rs": "",
            "other/hidden.rs": "",
        },
    )
    assert tree.list() == ("keep.tmp.rs", "other/hidden.rs", "src/gen/b.rs")


def test_the_ignore_files_above_the_root_count_in_a_repository(tmp_path: Path) -> None:
    written(
        tmp_path,
        {".git/HEAD": "", ".gitignore": "crates/*/gen/\n", "crates/a/gen/x.rs": "", "crates/a/y.rs": ""},
    )
    assert DirectoryTree(tmp_path / "crates" / "a").list() == ("y.rs",)


def test_build_output_and_hidden_directories_are_left_out(tmp_path: Path) -> None:
    tree = written(
        tmp_path,
        {"Cargo.toml": "", "target/a.rs": "", ".hidden/b.rs": "", "src/target/c.rs": "", "notes.txt": ""},
    )
    assert tree.list() == ("Cargo.toml", "src/target/c.rs")


def test_links_out_of_the_root_and_loops_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    outside = tmp_path / "outside"
    written(outside, {"secret.rs": "", "dir/more.rs": ""})
    tree = written(root, {"src/lib.rs": ""})
    os.symlink(outside / "secret.rs", root / "src" / "secret.rs")
    os.symlink(outside / "dir", root / "src" / "dir")
    os.symlink(root, root / "src" / "loop")
    os.symlink(root / "src" / "lib.rs", root / "alias.rs")
    os.symlink("nowhere", root / "broken.rs")
    assert tree.list() == ("alias.rs", "src/lib.rs")
    with pytest.raises(OSError):
        tree.read("src/secret.rs")


def test_a_link_that_is_gone_while_it_is_looked_at_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = written(tmp_path, {"lib.rs": ""})
    os.symlink("lib.rs", tmp_path / "gone.rs")
    real = os.path.realpath

    def realpath(path: str) -> str:
        if path.endswith("gone.rs"):
            raise FileNotFoundError(path)
        return real(path)

    monkeypatch.setattr(os.path, "realpath", realpath)
    assert tree.list() == ("lib.rs",)


def test_a_module_in_a_linked_folder_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    tree = written(
        tmp_path,
        {
            "Cargo.toml": '[package]\nname = "a"\n[lib]\npath = "lib.rs"\n',
            "lib.rs": "mod inner { mod far; }",
            "else/where/far.rs": "",
        },
    )
    os.symlink(tmp_path / "else" / "where", tmp_path / "inner")
    workspace = discover(tree)
    assert workspace.files == ("else/where/far.rs", "lib.rs")
    assert workspace.links == (("inner", "else/where"),)
    tables = link(workspace, {path: extract(tree.read(path)) for path in workspace.files})
    assert tables.problems == []
    assert [module.path for module in tables.modules] == ["a", "a::inner", "a::inner::far"]


def test_a_name_that_is_no_text_is_a_problem(tmp_path: Path) -> None:
    tree = written(tmp_path, {"a.rs": ""})
    with open(os.fsencode(tmp_path) + b"/\xff.rs", "wb"):
        pass
    assert tree.list() == ("a.rs",)
    assert [one.kind for one in tree.problems()] == ["unreadable"]


def test_a_name_with_a_line_break_is_a_name(tmp_path: Path) -> None:
    assert written(tmp_path, {"a\nb.rs": ""}).list() == ("a\nb.rs",)


def test_equal_contents_have_equal_keys(tmp_path: Path) -> None:
    tree = written(tmp_path, {"a.rs": "x", "b.rs": "x", "c.rs": "y"})
    assert tree.key("a.rs") == tree.key("b.rs") != tree.key("c.rs")
    assert tree.key("a.rs") == MemoryTree({"z.rs": b"x"}).key("z.rs")


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    for tree in (DirectoryTree(tmp_path), MemoryTree({})):
        with pytest.raises(OSError):
            tree.read("missing.rs")


def test_many_paths_are_judged_as_each_by_itself() -> None:
    lines = ["*.gen.rs", "!keep.gen.rs", "/out/", "a/**/b.rs", "docs", "\\#x.rs", "x[0-9].rs"]
    names = ("one.rs", "two.gen.rs", "keep.gen.rs", "b.rs", "docs", "#x.rs", "x7.rs", "out/", "docs/")
    layer = Layer("", GitIgnoreSpec.from_lines(lines))
    for turn in range(3 * MANY):
        path = f"{('', 'a/', 'a/c/', 'out/', 'docs/', f'd{turn}/')[turn % 6]}{names[turn % len(names)]}"
        assert layer.verdict(path) == GitIgnoreSpec.from_lines(lines).check_file(path).include


def test_a_pattern_that_looks_like_a_named_group_is_none() -> None:
    lines = ["\\?P<x>", "a/*/b.rs"]
    layer = Layer("", GitIgnoreSpec.from_lines(lines))
    for _ in range(MANY):
        assert layer.verdict("?P<x>") is True


def test_nobody_is_warned_of_a_pattern_that_is_right(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tree = written(tmp_path, {"b.rs": "", "c.rs": "", ".gitignore": "[[:space:]]x\nb.rs\n"})
        assert tree.list() == ("c.rs",)
    assert told == []
