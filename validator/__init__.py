"""What is validated and how: from the address of an environment to a report."""
