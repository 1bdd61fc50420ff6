"""Names, types and calls: from skeletons to what a call may run. Knows no syntax tree and no graph library."""
