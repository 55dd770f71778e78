import firsthit

print(firsthit.check_suite(firsthit.Suite("bbob", dimensions=2, instances=1)))
