"""Our checks in other tools: the reference validator, and pytest."""
