"""loggers/formats/coco."""
