"""``firsthit schema``: the JSON schema of campaign files."""

from __future__ import annotations

import json

import click


@click.command()
def command() -> None:
    """Print the JSON schema of campaign files, for editors that complete and check YAML.

    Editors with the YAML language server take it by a first line in the campaign file:
    # yaml-language-server: $schema=campaign.schema.json
    """
    from ..runner.campaign.keys import campaign_schema

    click.echo(json.dumps(campaign_schema(), indent=2, ensure_ascii=False))
