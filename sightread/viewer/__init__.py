"""The viewer of reports and of the inspector: records, their builder, and its assets."""
