"""The browser pool: starts Chromium, lends tabs, limits how many pages are open, and watches memory and processes."""
