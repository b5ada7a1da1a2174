"""What a statistic raises where its input is malformed.

MetricsError          ValueError: never raised itself
  MalformedInput      wrong type or shape, a value that is no finite number, keys that clash
  ParameterError      a level, group size, threshold or range outside what it may be

Data that are well formed and too few are no error: they give `Undefined`.
"""


class MetricsError(ValueError):
    """The caller has handed in something that no data could make right."""


class MalformedInput(MetricsError):
    """An array, label or count that cannot be read as what it should be."""


class ParameterError(MetricsError):
    """A parameter outside its range."""
