"""Sites of programs, filled with documents of known text: the former final parts, a folder or two for each, and the current one."""
