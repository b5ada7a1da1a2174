"""Finished values to readers: the report document, its writers, and tracking."""
