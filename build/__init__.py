"""From seeds and the published release to the dataset: everything that makes instances."""
