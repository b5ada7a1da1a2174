"""The one-file page of a report and its static plots."""
