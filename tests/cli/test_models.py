"""The models that a command line names."""

from __future__ import annotations

from pathlib import Path

import pytest

from whorl.cli.models import FILES, labels, models_of
from whorl.diagnostics import WhorlError
from whorl.options import CHECK, Group, ValueKind


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_folder_is_the_models_in_it(tmp_path: Path) -> None:
    put(
        tmp_path,
        b_dot_pml="",
        a_dot_promela="",
        notes_dot_txt="",
        inner__c_dot_pml="",
        _dot_hidden__d_dot_pml="",
    )
    found = models_of([str(tmp_path)])
    names = [str(Path(name).relative_to(tmp_path)) for name in found.names]
    assert names == ["a.promela", "b.pml", "inner/c.pml"]
    assert found.included == ()


def test_what_models_include_is_left_out_unless_it_is_named(tmp_path: Path) -> None:
    put(tmp_path, a_dot_pml='# include "part.pml"\ninit { skip }', part_dot_pml="byte x;")
    found = models_of([str(tmp_path)])
    assert [Path(name).name for name in found.names] == ["a.pml"]
    assert [Path(name).name for name in found.included] == ["part.pml"]
    both = models_of([str(tmp_path), str(tmp_path / "part.pml")])
    assert [Path(name).name for name in both.names] == ["a.pml", "part.pml"]
    assert both.included == ()


def test_names_once_and_in_order(tmp_path: Path) -> None:
    assert models_of(["b.pml", "-", "a.pml", "b.pml"]).names == ("b.pml", "-", "a.pml")
    with pytest.raises(WhorlError, match="no model in the folder"):
        models_of([str(tmp_path)])


def test_labels_differ() -> None:
    assert labels(["x/a.pml", "y/b.pml", "-"]) == {"x/a.pml": "a", "y/b.pml": "b", "-": "stdin"}
    assert labels(["x/a.pml", "../y/a.pml"]) == {"x/a.pml": "x_a", "../y/a.pml": "y_a"}
    assert labels(["a.pml", "a.prom"]) == {"a.pml": "a.pml", "a.prom": "a.prom"}
    assert len(set(labels(["x/a.pml", "y/a.pml", "x_a.pml"]).values())) == 3


def test_every_file_of_a_counterexample_can_be_one_for_each_model() -> None:
    kinds = (ValueKind.FILE, ValueKind.PICTURE)
    files = {o.name for o in CHECK if o.group is Group.SHOWN and o.kind in kinds}
    assert files - {"where"} == set(FILES)
