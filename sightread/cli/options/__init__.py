"""Options of the commands: their records, and the parsers and checks of their values."""
