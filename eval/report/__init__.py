"""The report: runs as one page that works offline, with every instance to look at."""
