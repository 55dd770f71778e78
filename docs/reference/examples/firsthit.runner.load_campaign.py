from firsthit.runner import load_campaign, plan

campaign = load_campaign("quickstart")
print(len(plan(campaign)), "runs")
