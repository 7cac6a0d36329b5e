"""From files of other benchmarks, which the user has, to the dataset's lines."""
