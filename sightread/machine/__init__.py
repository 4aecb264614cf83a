"""What this machine has and lacks: a browser, fonts, a sandbox, memory, disk space; `setup` installs, `doctor` checks."""
