"""Corrections of a site by a person: records, their file, matching on pages, exchange with other tools."""
