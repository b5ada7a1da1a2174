"""Writes a report in the formats that were asked for, once it is there."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from validator.errors import SettingsError

if TYPE_CHECKING:
    from reports.model import Report

OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Files by format. Places are looked at before the run, so that none is lost to a typo."""

    files: dict[str, str]

    @classmethod
    def of(cls, **files: str | None) -> Self:
        """Take what the flags name.

        Raises:
            SettingsError: a file cannot be written there, or two formats want the output.
        """
        found = {name: file for name, file in files.items() if file is not None}
        for name, file in found.items():
            if file != OUTPUT:
                check_place(Path(file), flag=f"--{name}")
        if sum(file == OUTPUT for file in found.values()) > 1:
            raise SettingsError(
                "only one format fits the output", where=OUTPUT, do="Give the others a file."
            )
        return cls(found)

    @property
    def takes_output(self) -> bool:
        """Say whether a format goes to the output, so that nothing else may."""
        return OUTPUT in self.files.values()

    def write(self, report: "Report") -> None:
        """Write every format.

        Raises:
            SettingsError: a file cannot be written.
        """
        from validator.cli.console import say
        from validator.plugins import Registry
        from validator.recording import write_whole

        writers = Registry("writer")
        for name, file in self.files.items():
            text = writers.get(name).make().write(report)
            if file == OUTPUT:
                say(text)
                continue
            try:
                write_whole(Path(file), text)
            except OSError as fault:
                raise _unwritable(file, f"--{name}", str(fault.strerror)) from fault


def check_place(path: Path, *, flag: str) -> None:
    """Raise a `SettingsError` where no file can be written at `path`."""
    if path.is_dir():
        raise _unwritable(str(path), flag, "it is a folder")
    if not path.parent.is_dir():
        raise _unwritable(str(path), flag, "its folder does not exist")
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise _unwritable(str(path), flag, "it may not be written")


def _unwritable(file: str, flag: str, why: str) -> SettingsError:
    return SettingsError(
        f"{file} cannot be written ({why})",
        where=flag,
        do="Name a file in a folder that exists and has room.",
    )
