"""State of this machine: browser, fonts, sandbox, memory, disk space; `setup` installs, `doctor` checks."""
