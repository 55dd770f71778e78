"""A campaign from Python: run the campaign of a file, resume it, and show its results.

pip install firsthit
python examples/campaign.py
"""

from pathlib import Path

import firsthit
from firsthit.runner import execute, load_campaign, open_log, plan

CAMPAIGN = """
suite: bbob
functions: [1, 8]
dimensions: [2, 3]
instances: 1-3
optimizers:
  - {name: simplex, use: scipy:Nelder-Mead}
  - {name: random, use: random-search, parameters: {batch_size: [10, 100]}}   # a grid
budget: 100 * dimension
workers: 0
output: results/campaign.h5
"""


def main(folder="."):
    file = Path(folder, "campaign.yaml")
    file.write_text(CAMPAIGN)
    campaign = load_campaign(file, {"output": str(Path(folder, "results", "campaign.h5"))})
    runs = plan(campaign)
    for _ in range(2):  # the second time, no run is missing
        with open_log(campaign.output, campaign.header(), resume=True) as log:
            outcome = execute(runs, log, campaign.executor_config)
        print(f"{outcome.finished} of {outcome.runs} runs made now, {outcome.failed} failed")
    results = firsthit.load(campaign.output)
    print(results.summary())
    return results


if __name__ == "__main__":
    main()
