from firsthit.loggers import read_log

log = read_log("results/quickstart.h5")
print(len(log), "runs of", ", ".join(log.algorithms))
