"""HTML without a browser: parsing, blocks, list markers, images and links, by the defaults of the HTML standard."""
