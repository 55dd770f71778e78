from firsthit.loggers import read_log

log = read_log("results/quickstart.h5")
print(len(log), log.algorithms)
print(log.runs["evaluations"][:5])
