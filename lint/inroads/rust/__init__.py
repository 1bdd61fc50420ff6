"""The syntax of one file; the only room that knows tree-sitter. No name is resolved here."""
