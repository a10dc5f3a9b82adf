"""The table: people, seats and time around a match, as pure functions over immutable values."""
