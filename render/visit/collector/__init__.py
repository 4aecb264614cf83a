"""The collector: one script per document returns blocks, styles and boxes; iframes are placed on the page."""
