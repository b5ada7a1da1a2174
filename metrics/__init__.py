"""Statistics of environments: arrays in, result objects out."""
