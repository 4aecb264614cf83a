"""Databases of jobs: SQLite, and PostgreSQL where it is installed."""

import pytest

from benchmarks.service import postgresql as postgres


@pytest.fixture(scope="session")
def postgres_url():
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres.running() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request, tmp_path):
    """The database of the jobs, without any job."""
    if request.param == "sqlite":
        return str(tmp_path / "jobs.sqlite3")
    import psycopg

    url = request.getfixturevalue("postgres_url")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS results, jobs")
    return url
