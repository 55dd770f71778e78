import firsthit

table = firsthit.load("results/quickstart.h5").art(functions=1, dimensions=5, targets=[1e1])
print(table)
print(table.names)
print(table["art"])
print(table.to_csv())
for note in table.notes:
    print("note:", note)
