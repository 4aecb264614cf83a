"""Inspections of learned sites in the service: the same corrections as in `sightread inspect`, for tokens that may change a site."""

import json
import shutil
from contextlib import asynccontextmanager
from types import SimpleNamespace

import aiohttp
import msgspec
import pytest
from aiohttp.web import HTTPNotFound
from playwright.async_api import expect

from sightread.reading import read_static
from sightread.reading.reader import Reader
from sightread.reading.reading import MOST_CHARACTERS
from sightread.render.errors import Rejected
from sightread.server.access.gate import Caller, GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.inspector import MOST_SITES, Inspections, inspect_reading
from sightread.server.jobs.database import open_database
from sightread.server.jobs.sites import find_job_folder
from sightread.server.jobs.store import JobLimits, JobRow, JobStore, NewJob
from sightread.server.process.front import app_of
from sightread.server.schema.answers import LearnedRecord, Outcome
from sightread.server.service import JobStorage, Service
from sightread.sites.corrections.records import load_corrections
from sightread.viewer.records import UnlearnedSite

LEARN = b'{"kind": "learn", "url": "https://x.test/"}'


@pytest.fixture(scope="module")
def home(trained, tmp_path_factory):
    """A home with the learned site x.test."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(trained, home / "sites" / "x.test" / "0001")
    (home / "sites" / "x.test" / "current").symlink_to("0001")
    return home


@asynccontextmanager
async def served(home, **tokens):
    """A service whose browser is never started, and what asks it as one of the tokens' callers."""
    file = TokenFile(home / "tokens.json")
    secrets = {name: file.add(name, scopes) for name, scopes in tokens.items()}
    gate = GatePolicy(TokenFile(file.path)) if tokens else GatePolicy()
    service = Service(Reader(home=home), gate=gate, storage=JobStorage(limits=JobLimits(under_way=0)))  # jobs wait
    async with serve_on_loopback(app_of(service)) as address, aiohttp.ClientSession() as session:

        async def ask(method, path, caller="", body=None, **headers):
            given = headers | ({"Authorization": f"Bearer {secrets[caller]}"} if caller else {})
            async with session.request(method, f"{address}{path}", json=body, headers=given) as answer:
                text = await answer.text()
                return answer.status, json.loads(text) if answer.content_type == "application/json" else text

        yield service, address, ask


async def test_a_page_that_would_hold_the_service_is_not_inspected_there(home):
    async with served(home, ada=["read"]) as (service, _, ask):
        large = read_static(f"<h1>Title</h1><p>{'word ' * (MOST_CHARACTERS // 5)}</p>", "https://x.test/", home=home)
        id = service.inspections.add(inspect_reading(large), Caller("ada", frozenset({"read"})))
        for view in ("pages/0.json", "why?page=0&block=0", "models/0.json", "document?page=0&model=global"):
            assert (await ask("GET", f"/inspections/{id}/{view}"))[0] == 404
        assert (await ask("GET", f"/inspections/{id}/"))[0] == 200


async def test_a_learned_site_is_corrected_in_the_service_with_the_handlers_of_the_inspector(home):
    async with served(home, ada=["learn"], reader=["read", "jobs"]) as (_, address, ask):
        assert (await ask("POST", "/api/v1/sites/x.test/inspect", "reader"))[0] == 403
        assert (await ask("POST", "/api/v1/sites/y.test/inspect", "ada"))[0] == 400
        status, made = await ask("POST", "/api/v1/sites/x.test/inspect", "ada")
        at, own = f"/inspections/{made['id']}", {"Origin": address}
        assert status == 200 and (await ask("GET", f"{at}/"))[1].startswith("<!doctype html>")
        assert "corrections" in (await ask("GET", f"{at}/data.json"))[1]["offers"]
        question = (await ask("GET", f"{at}/corrections"))[1]["question"]
        answer = {"question": question["id"], "is_content": True}
        for headers in ({}, {"Origin": "https://evil.example"}):
            assert (await ask("POST", f"{at}/corrections/answer", body=answer, **headers))[0] == 403
        status, state = await ask("POST", f"{at}/corrections/answer", body=answer, **own)
        assert (status, state["corrections"][0]["by"]) == (200, "ada")
        path = home / "sites" / "x.test" / "corrections.json"
        assert [each.is_content for each in load_corrections(path).made] == [True]
        proposal = {"page": 0, "block": 3, "is_content": False, "target": "block", "scope": "page"}
        assert (await ask("POST", f"{at}/corrections/preview", body=proposal, **own))[1]["decided"] == 1
        assert (await ask("POST", f"{at}/corrections/save", body={}, **own))[1]["can_undo"]
        assert "contributions" in (await ask("GET", f"{at}/why?page=0&block=3"))[1]
        for _ in range(2):
            assert (await ask("POST", f"{at}/corrections/undo", body={}, **own))[0] == 200
        assert load_corrections(path).made == ()
        status, refused = await ask("POST", f"{at}/corrections/answer", body={"question": "?", "is_content": True}, **own)
        assert status == 400 and "another one by now" in refused["error"]["message"]
        assert (await ask("GET", f"/inspections/{'0' * 32}/corrections"))[0] == 404


async def finish(service, caller):
    """Create a learning job, and end it as done."""
    job, _ = await service.jobs.create(NewJob("learn", LEARN, caller, total=1))
    await end(service, job.id)
    return job.id


async def end(service, id):
    lease = await service.jobs.claim()
    assert lease.job.record.id == id
    learned = LearnedRecord("x.test", "0001", "0001", 5, 0, False, "", 0.9, ())
    await service.jobs.add(lease, [JobRow("x.test", False, msgspec.json.encode(Outcome(0, "", learned=learned)))])
    await service.jobs.finish(lease, "done")


async def test_a_learning_job_leads_to_its_site_which_only_the_scope_learn_corrects(home):
    async with served(home, lia=["jobs"], leo=["jobs", "learn"]) as (service, address, ask):
        ids = {caller: await finish(service, caller) for caller in ("lia", "leo")}
        for caller, id in ids.items():
            status, made = await ask("POST", f"/api/v1/jobs/{id}/inspect", caller)
            offers = (await ask("GET", f"/inspections/{made['id']}/data.json"))[1]["offers"]
            assert (status, "corrections" in offers) == (200, caller == "leo")
            status, _ = await ask("POST", f"/inspections/{made['id']}/corrections/undo", body={}, Origin=address)
            assert status == (200 if caller == "leo" else 404)
        assert (await ask("POST", f"/api/v1/jobs/{ids['leo']}/inspect", "lia"))[0] == 404
        waiting, _ = await service.jobs.create(NewJob("batch", b"{}", "leo"))
        status, refused = await ask("POST", f"/api/v1/jobs/{waiting.id}/inspect", "leo")
        assert status == 400 and "when it has ended" in refused["error"]["message"]


@pytest.mark.parametrize("can_learn", [True, False])
async def test_the_site_of_an_inspected_page_is_learned_by_a_button(home, can_learn, watched):
    async with served(home) as (service, address, ask):
        unlearned = UnlearnedSite("y.test", "sightread learn https://y.test/", can_learn)
        shown = inspect_reading(
            read_static(f"<title>Ferry</title><main><h1>Ferry</h1>{'<p>It has carried workers across.' * 5}"), unlearned
        )
        id = service.inspections.add(shown, Caller("local"), "https://y.test/a/b")
        await watched.tab.goto(f"{address}/inspections/{id}/")
        banner = watched.tab.get_by_role("region", name="Learn the site")
        await expect(banner.locator("code")).to_have_text(unlearned.command)
        button = banner.get_by_role("button", name="Learn this site")
        await expect(button).to_have_count(int(can_learn))
        if not can_learn:
            assert (await ask("POST", f"/inspections/{id}/learn", body={}, Origin=address))[0] == 403
            return
        await button.click()
        await expect(banner.get_by_role("status")).to_have_text("queued")
        (job,) = await service.jobs.list_jobs("local")
        assert (job.kind, job.target) == ("learn", "https://y.test/")
        await end(service, job.id)
        await banner.get_by_role("link", name="Inspect the site").click()
        await expect(watched.tab.get_by_role("tab", name="Correct")).to_be_visible()
        assert watched.witness.errors == []


async def test_a_job_of_this_machine_is_found_by_its_id(home):
    state = home / "service"
    state.mkdir()
    store = JobStore(open_database(str(state / "jobs.sqlite3")))
    await store.open()
    service = SimpleNamespace(jobs=store)
    learned = await finish(service, "ada")
    batch, _ = await store.create(NewJob("batch", b"{}", "ada"))
    await store.close()
    assert await find_job_folder(learned, home) == home / "sites" / "x.test" / "0001"
    with pytest.raises(Rejected, match="has no pages to show"):
        await find_job_folder(batch.id, home)
    with pytest.raises(Rejected, match="no service on this machine"):
        await find_job_folder(learned, home / "other")


def test_few_sites_are_in_memory_at_once():
    inspections, shown = Inspections(), SimpleNamespace(corrects=True)
    ids = [inspections.add(shown, Caller("ada")) for _ in range(MOST_SITES + 1)]
    with pytest.raises(HTTPNotFound):
        inspections.find(ids[0], lambda caller: caller.scopes)
    assert inspections.find(ids[1], lambda caller: caller.scopes).shown is shown
