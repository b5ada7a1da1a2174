"""Probe agents of graded capability: what an agent may see in, an action out."""
