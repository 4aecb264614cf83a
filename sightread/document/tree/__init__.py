"""The structure of a document: headings, lists, tables, images, footnotes, formulas, code."""
