"""Create Git repositories for tests."""

import os
import subprocess


def git(folder, *arguments):
    """Run git in a folder, with a fixed author and without the user's settings.

    Returns:
        The output without white space at its ends.
    """
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit_all(folder):
    """Create a repository with one commit of all files in a folder.

    Returns:
        The first seven digits of the commit.
    """
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "all")
    return git(folder, "rev-parse", "--short=7", "HEAD")
