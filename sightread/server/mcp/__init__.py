"""The Model Context Protocol: tools by which language models read pages and sites, over HTTP and over standard input and output."""
