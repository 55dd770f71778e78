"""Tables of runs on two objectives: their archives, and what these attain."""
