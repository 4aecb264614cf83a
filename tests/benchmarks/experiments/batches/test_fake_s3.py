"""The fake S3 of the experiments: names are created once, and it fails as often as it is told to."""

from benchmarks.experiments.batches.fake_s3 import FakeS3


def test_a_name_is_created_once_and_listed():
    with FakeS3(0.0) as store:
        put = [store.answer("PUT", "/bucket/a/b%20c", b"1", "*")[0] for _ in range(2)]
        assert (put, store.answer("GET", "/bucket/a/b%20c", b"", None)[:2]) == ([200, 412], (200, b"1"))
        listing = store.answer("GET", "/bucket?list-type=2&prefix=a/&delimiter=/", b"", None)[1].decode()
        assert "<Key>a/b c</Key><Size>1</Size>" in listing
        assert store.answer("DELETE", "/bucket/a/b%20c", b"", None)[0] == 204
        assert store.answer("HEAD", "/bucket/a/b%20c", b"", None)[0] == 404


def test_requests_fail_before_and_after_they_are_carried_out():
    with FakeS3(0.5) as store:
        statuses = [store.answer("PUT", f"/bucket/{number}", b"x", None)[0] for number in range(200)]
        assert 70 < statuses.count(503) < 130
        assert store.counts["answer lost"] + store.counts["not carried out"] == statuses.count(503)
        assert len(store.objects) == statuses.count(200) + store.counts["answer lost"]
