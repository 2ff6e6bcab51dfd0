"""What the tests share. They run against the installed wheel, never the source tree."""

from __future__ import annotations

import os
import pathlib

import pytest

import engram

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

assert REPOSITORY not in pathlib.Path(engram.__file__).parents or "site-packages" in engram.__file__


class Place:
    """A fresh home and project."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.home = root / "home"
        self.project = root / "project"
        self.home.mkdir()
        self.project.mkdir()

    def open(self, **options: object) -> engram.Engram:
        options.setdefault("background", "caller")
        return engram.Engram(self.project, home=self.home, **options)  # type: ignore[arg-type]


@pytest.fixture
def place(tmp_path: pathlib.Path) -> Place:
    return Place(pathlib.Path(os.path.realpath(tmp_path)))
