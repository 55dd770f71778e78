"""Ready campaigns: ``firsthit run NAME`` finds ``NAME.yaml`` here."""
