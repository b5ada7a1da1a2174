"""Probes that react to what they see by fixed rules."""
