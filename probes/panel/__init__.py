"""The adversarial panel: attackers that score without doing the task. See its page in the docs."""

PANEL = 1
"""Version of the panel: which attackers there are. Each has a version of its own, too."""
