"""What a person would see of a page: the `Page` record, the browser, the collector, and static HTML without a browser."""
