import firsthit

score = firsthit.score("scipy:Nelder-Mead", "bbob", functions=[1, 8], dimensions=2, budget="200*D")
print(score)
