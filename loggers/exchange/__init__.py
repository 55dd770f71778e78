"""Data of others, in and out: COCO and IOHprofiler files as runs of a log, and back."""
