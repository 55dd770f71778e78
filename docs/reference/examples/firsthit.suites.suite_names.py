from firsthit.suites import suite_names

print(suite_names())
