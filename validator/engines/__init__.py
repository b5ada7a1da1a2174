"""Where many validations run at once."""
