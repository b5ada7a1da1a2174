"""Severities, and from results to a verdict."""
