"""What can end a run early, and the exit code of each.

EnvassayError           -   never raised itself
  SettingsError         3   flag, manifest, policy or report file: the user can mend it
  ModelError            3   a local model that cannot be had, or is another one
  TargetError           2   nothing usable at the address
    UnsafeTarget        2   the address leads where we do not go
    UnsupportedTarget   2   something answers, but not in a dialect spoken here
  Interrupted         130   the user, or the system, stopped the run; what was run is kept
  OwnFault              3   our own: one line, and the traceback in the log

Anything else is our own fault, too.

What goes wrong inside one episode is no error of the run: see `validator.client.faults`.
"""

from typing import Any


def _bare(kind: type[Exception], args: tuple[Any, ...]) -> Exception:
    """Return an error from another process, whose words need not be put together again."""
    return kind.__new__(kind, *args)


class EnvassayError(Exception):
    """Ends the run with one line and no traceback: where, what, and what to do."""

    exit_code = 3

    def __init__(self, what: str, *, where: str, do: str) -> None:
        super().__init__(f"{where}: {what}. {do}")
        self.what, self.where, self.do = what, where, do

    def __reduce__(self) -> tuple[Any, ...]:
        return _bare, (type(self), self.args), dict(self.__dict__)


class SettingsError(EnvassayError):
    """A flag, manifest, policy or report file that the user can mend."""


class ModelError(EnvassayError):
    """A local model cannot be had, or is not what it should be."""


class TargetError(EnvassayError):
    """Nothing usable at the address."""

    exit_code = 2


class UnsafeTarget(TargetError):
    """The address leads where we do not go."""


class UnsupportedTarget(TargetError):
    """Something answers at the address, but not in a dialect spoken here."""


class Interrupted(EnvassayError):
    """The run was stopped from outside; finished episodes are kept."""

    exit_code = 130


class OwnFault(EnvassayError):
    """Something of ours broke in one of many validations; the others go on."""

    def __init__(self, fault: Exception, *, where: str) -> None:
        super().__init__(
            f"a fault of our own ({type(fault).__name__}: {fault})",
            where=where,
            do="Please report it with the log.",
        )
