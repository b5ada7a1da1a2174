"""On which line of a manifest each of its fields stands."""

from pathlib import Path

from validator.errors import SettingsError
from validator.manifest import MOST_BYTES
from validator.operator_file import read_file
from validator.operator_yaml import NoYaml, composed

DEEPEST = 4
"""Levels of fields that are listed: none of ours lies deeper."""


def field_lines(path: Path) -> dict[str, int]:
    r"""Return the line of each field, counted from 1, by its names from the top, joined by dots.

    Nothing where the file cannot be read any more.

    Example:
        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
        ...     _ = file.write(b"envassay:\n  score: sum\n  tasks: {count: 4}\n")
        ...     file.flush()
        ...     field_lines(Path(file.name))
        {'envassay': 1, 'envassay.score': 2, 'envassay.tasks': 3, 'envassay.tasks.count': 3}
    """
    import yaml

    try:
        top = composed(read_file(path, most=MOST_BYTES, do=""))
    except (SettingsError, NoYaml):
        return {}
    found: dict[str, int] = {}
    waiting = [("", top, 0)]
    while waiting:
        prefix, node, depth = waiting.pop(0)
        if not isinstance(node, yaml.MappingNode) or depth == DEEPEST:
            continue
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = f"{prefix}{key.value}"
                found.setdefault(name, key.start_mark.line + 1)
                waiting.append((f"{name}.", value, depth + 1))
    kept = ("envassay", "validation")
    return {name: line for name, line in found.items() if name.partition(".")[0] in kept}
