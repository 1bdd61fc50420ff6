"""Names, types and calls: from skeletons to what a call may run. No syntax tree, no graph library."""
