"""Downloads, from a server in this process."""

import dataclasses
import hashlib
import http.server
import io
import ssl
import subprocess
import tarfile
import threading
import urllib.request
from functools import partial

import pytest

from angularpu.errors import DataError
from angularpu_bench.catalogue.datasets import CATALOGUE
from angularpu_bench.catalogue.entry import Entry, File
from angularpu_bench.catalogue.fetch import fetch_dataset, fetch_file, unpack
from angularpu_bench.catalogue.https import SameScheme, open_https

CONTENT = bytes(range(256)) * 4000  # more than one block


class Server(http.server.ThreadingHTTPServer):
    """Serves ``pages``; ``breaks`` says after how many bytes each of the next answers stops."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.breaks, self.ranges, self.knows_ranges, self.tells_length = {}, [], [], True, True

    def url(self, name):
        scheme = "https" if isinstance(self.socket, ssl.SSLSocket) else "http"
        return f"{scheme}://127.0.0.1:{self.server_port}/{name}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = self.server.pages.get(self.path[1:])
        if page is None:
            self.send_error(404)
            return
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.server.knows_ranges else 0
        if start and start >= len(page):
            self.send_error(416)
            return
        if isinstance(page, str):
            self.send_response(302)
            self.send_header("Location", page)
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        if self.server.tells_length:
            self.send_header("Content-Length", str(len(page) - start))
        self.end_headers()
        stop = self.server.breaks.pop(0) if self.server.breaks else len(page)
        self.wfile.write(page[start:stop])

    def log_message(self, *_):
        pass


def serve(server):
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def server():
    yield from serve(Server())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for this machine that nobody has signed, with its key."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = [
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "1",
        "-keyout",
        path,
        "-out",
    ]
    try:
        subprocess.run(
            ["openssl", "req", "-x509", *names, *made, path.with_suffix(".crt")], check=True, capture_output=True
        )
    except FileNotFoundError:
        pytest.skip("no openssl to make a certificate with")
    return path


@pytest.fixture
def secure(certificate):
    """The same server over https, and what opens its addresses."""
    server, context = Server(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_suffix(".crt"), certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    yield from serve(server)


@pytest.fixture
def trusting(certificate):
    return partial(open_https, context=ssl.create_default_context(cafile=str(certificate.with_suffix(".crt"))))


def make_file(server, name="sub/x.bin", content=CONTENT):
    server.pages["x"] = content
    return File(name, f"md5:{hashlib.md5(CONTENT).hexdigest()}", server.url("x"))


def make_entry(files, **others):
    return Entry("toy", "Toy", "table", "", "", files, 1, 1, ("a",), frozenset({0}), 0.5, **others)


OVER_HTTP = urllib.request.build_opener(SameScheme)  # this server speaks no https


def fetch(wanted, folder, **options):
    get = fetch_file if isinstance(wanted, File) else fetch_dataset
    return get(wanted, folder, open_address=lambda request: OVER_HTTP.open(request, timeout=5), **options)


def list_files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_arrives_whole_and_is_not_asked_for_again(server, tmp_path):
    file, seen = make_file(server), []
    for _ in range(2):
        path = fetch(file, tmp_path, report=lambda *state: seen.append(state))
    assert path.read_bytes() == CONTENT
    assert server.ranges == [None]
    assert list_files(tmp_path) == ["sub/x.bin"]
    assert seen[-1] == ("sub/x.bin", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)


def test_a_stopped_download_is_resumed(server, tmp_path):
    file = make_file(server)
    server.breaks = [300_000, 700_000]
    for _ in range(2):
        with pytest.raises(DataError, match=f"stopped after .* of {len(CONTENT)} bytes; run the same command again"):
            fetch(file, tmp_path)
        assert "sub/x.bin" not in list_files(tmp_path)
    assert fetch(file, tmp_path).read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=300000-", "bytes=700000-"]


def test_a_server_that_knows_no_ranges_is_read_from_the_start(server, tmp_path):
    file = make_file(server)
    server.breaks, server.knows_ranges = [300_000], False
    with pytest.raises(DataError, match="stopped after"):
        fetch(file, tmp_path)
    assert fetch(file, tmp_path).read_bytes() == CONTENT


def test_a_download_stopped_before_its_checksum_is_finished(server, tmp_path):
    file = make_file(server, "x.bin")
    (tmp_path / ".x.bin~").write_bytes(CONTENT)
    assert fetch(file, tmp_path).read_bytes() == CONTENT
    assert server.ranges == [f"bytes={len(CONTENT)}-"]


def test_a_wrong_checksum_leaves_nothing_behind(server, tmp_path):
    file = make_file(server, content=CONTENT[::-1])
    with pytest.raises(DataError, match="whose checksum is not the official md5:"):
        fetch(file, tmp_path)
    assert list_files(tmp_path) == []


def test_a_file_that_was_there_stays_until_the_right_one_has_come(server, tmp_path):
    file = make_file(server, "x.bin", content=b"neither")
    (tmp_path / "x.bin").write_bytes(b"mine")
    with pytest.raises(DataError, match="checksum"):
        fetch(file, tmp_path)
    assert (tmp_path / "x.bin").read_bytes() == b"mine"
    server.pages["x"] = CONTENT
    assert fetch(file, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize(("url", "message"), [("gone", "404 Not Found"), (None, "cannot be downloaded; docs")])
def test_what_is_not_there_is_told(server, tmp_path, url, message):
    with pytest.raises(DataError, match=message):
        fetch(File("x.bin", None, url and server.url(url)), tmp_path)


def test_a_silent_network_is_told(tmp_path):
    with pytest.raises(DataError, match=r"cannot be downloaded: .*; run the same command again to resume"):
        fetch(File("x.bin", None, "http://127.0.0.1:9/x"), tmp_path)


@pytest.fixture
def packed(server):
    """A data set of one file that comes in an archive, and the archive's bytes."""
    content = pack(("./a/x.bin", CONTENT), ("../escaped", b"no"), ("a/unlabelled.bin", b"no"))
    server.pages["toy.tar.gz"] = content
    wanted = File("a/x.bin", f"md5:{hashlib.md5(CONTENT).hexdigest()}")
    checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return make_entry((wanted,), archive=File("toy.tar.gz", checksum, server.url("toy.tar.gz"))), content


def pack(*members):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def test_only_the_wanted_files_are_taken_out_of_an_archive(server, packed, tmp_path):
    entry, _ = packed
    (tmp_path / "data").mkdir()
    for _ in range(2):
        assert [check.status for check in fetch(entry, tmp_path / "data")] == ["official"]
    assert list_files(tmp_path) == ["data/a/x.bin"]
    assert server.ranges == [None]


def test_an_archive_that_was_put_there_is_unpacked_and_stays(server, packed, tmp_path):
    entry, content = packed
    (tmp_path / "toy.tar.gz").write_bytes(content)
    assert [check.status for check in fetch(entry, tmp_path)] == ["official"]
    assert (tmp_path / "toy.tar.gz").read_bytes() == content
    assert list_files(tmp_path) == ["a/x.bin", "toy.tar.gz"]
    assert server.ranges == []


def test_an_archive_of_that_name_that_is_not_the_official_one_stays_too(server, packed, tmp_path):
    entry, _ = packed
    (tmp_path / "toy.tar.gz").write_bytes(b"mine")
    assert [check.status for check in fetch(entry, tmp_path)] == ["official"]
    assert (tmp_path / "toy.tar.gz").read_bytes() == b"mine"
    assert list_files(tmp_path) == ["a/x.bin", "toy.tar.gz"]


def test_an_archive_whose_download_was_stopped_goes_once_it_is_unpacked(server, packed, tmp_path):
    entry, content = packed
    server.breaks = [len(content) // 2]
    with pytest.raises(DataError, match="stopped after"):
        fetch(entry, tmp_path)
    assert [check.status for check in fetch(entry, tmp_path)] == ["official"]
    assert list_files(tmp_path) == ["a/x.bin"]
    assert server.ranges == [None, f"bytes={len(content) // 2}-"]


def test_an_archive_whose_unpacking_was_stopped_is_not_downloaded_again_and_goes(server, packed, tmp_path, monkeypatch):
    entry, content = packed

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("angularpu_bench.catalogue.fetch._copy", stop)
        with pytest.raises(KeyboardInterrupt):
            fetch(entry, tmp_path)
    assert [check.status for check in fetch(entry, tmp_path)] == ["official"]
    assert list_files(tmp_path) == ["a/x.bin"]
    assert server.ranges == [None, f"bytes={len(content)}-"]


def test_an_archive_without_the_wanted_file_is_told(server, tmp_path):
    server.pages["toy.tar.gz"] = pack()
    entry = make_entry((File("a/x.bin"),), archive=File("toy.tar.gz", None, server.url("toy.tar.gz")))
    with pytest.raises(DataError, match=r"toy\.tar\.gz holds no a/x\.bin"):
        fetch(entry, tmp_path)
    server.pages["toy.tar.gz"] = b"no archive"
    with pytest.raises(DataError, match="cannot be unpacked"):
        fetch(entry, tmp_path)
    assert list_files(tmp_path) == []


def test_files_of_the_right_content_are_left_alone(server, tmp_path):
    content = hashlib.sha256(CONTENT).hexdigest()
    copies = File("x.bin", "md5:other", server.url("x"), content=content), File("z.bin", content=content)
    entry = make_entry((*copies, make_file(server, "y.bin")))
    for name in ("x.bin", "z.bin"):
        (tmp_path / name).write_bytes(CONTENT)
    assert [check.status for check in fetch(entry, tmp_path)] == ["content", "recorded", "official"]
    assert len(server.ranges) == 1


@pytest.fixture
def two_layouts(server):
    """A data set whose files come in an official layout, or in another one that nobody serves."""
    content = hashlib.sha256(CONTENT).hexdigest()
    others = File("other/x.bin", f"sha256:{content}"), File("other/y.bin", content=content)
    return make_entry((make_file(server, "x.bin"), make_file(server, "y.bin")), otherwise=others)


def write(folder, **contents):
    for name, content in contents.items():
        path = folder / f"{name.replace('_', '/')}.bin"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def test_a_second_layout_that_is_whole_and_right_is_left_alone(server, two_layouts, tmp_path):
    write(tmp_path, other_x=CONTENT, other_y=CONTENT, x=b"half of the first")
    checks = fetch(two_layouts, tmp_path)
    assert [(check.file.name, check.status) for check in checks] == [
        ("other/x.bin", "official"),
        ("other/y.bin", "recorded"),
    ]
    assert server.ranges == []
    assert (tmp_path / "x.bin").read_bytes() == b"half of the first"


@pytest.mark.parametrize("second", [{"other_x": CONTENT}, {"other_x": CONTENT, "other_y": b"wrong"}])
def test_the_first_layout_is_downloaded_when_the_second_is_not_right(server, two_layouts, tmp_path, second):
    write(tmp_path, **second)
    checks = fetch(two_layouts, tmp_path)
    assert [(check.file.name, check.status) for check in checks] == [("x.bin", "official"), ("y.bin", "official")]
    assert len(server.ranges) == 2


def test_of_two_whole_layouts_the_one_that_is_read_is_put_right(server, two_layouts, tmp_path):
    write(tmp_path, other_x=CONTENT, other_y=CONTENT, x=b"wrong", y=CONTENT)
    checks = fetch(two_layouts, tmp_path)
    assert [(check.file.name, check.status) for check in checks] == [("x.bin", "official"), ("y.bin", "official")]
    assert len(server.ranges) == 1


def test_over_https_a_file_arrives_and_may_be_redirected(secure, trusting, tmp_path):
    file = make_file(secure)
    assert fetch_file(file, tmp_path / "a", open_address=trusting).read_bytes() == CONTENT
    secure.pages["moved"] = secure.url("x")
    moved = File("x.bin", file.checksum, secure.url("moved"))
    assert fetch_file(moved, tmp_path / "b", open_address=trusting).read_bytes() == CONTENT


def test_a_redirection_from_https_to_http_is_not_followed(secure, server, trusting, tmp_path):
    make_file(server)
    secure.pages["moved"] = server.url("x")
    file = File("x.bin", f"md5:{hashlib.md5(CONTENT).hexdigest()}", secure.url("moved"))
    with pytest.raises(DataError, match=r"https://127.* redirects to http://127.*, which is not followed"):
        fetch_file(file, tmp_path, open_address=trusting)
    assert server.ranges == []
    assert list_files(tmp_path) == []


@pytest.mark.parametrize("target", ["https://127.0.0.1:9/x", "ftp://127.0.0.1/x", "file:///etc/passwd"])
def test_a_redirection_to_another_scheme_is_not_followed(server, tmp_path, target):
    server.pages["moved"] = target
    with pytest.raises(DataError, match=r"which is not followed|302 Found"):
        fetch(File("x.bin", None, server.url("moved")), tmp_path)
    assert list_files(tmp_path) == []


def test_a_certificate_that_nobody_has_signed_is_refused(secure, tmp_path):
    with pytest.raises(DataError, match="certificate verify failed"):
        fetch_file(make_file(secure), tmp_path)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/x", "ftp://127.0.0.1/x", "file:///etc/passwd", "//127.0.0.1/x"])
def test_only_https_addresses_are_opened(tmp_path, url):
    with pytest.raises((DataError, ValueError), match=r"is not an https address|unknown url type"):
        fetch_file(File("x.bin", None, url), tmp_path)
    assert list_files(tmp_path) == []


@pytest.mark.parametrize("tells_length", [True, False])
def test_a_server_that_sends_more_than_the_file_has_is_stopped(server, tmp_path, tells_length):
    server.tells_length = tells_length
    file = dataclasses.replace(make_file(server), most=len(CONTENT) - 1)
    with pytest.raises(DataError, match=r"sends more than the 1,023,999 bytes that the official file has"):
        fetch(file, tmp_path)
    assert list_files(tmp_path) == []
    assert fetch(dataclasses.replace(file, most=len(CONTENT)), tmp_path).read_bytes() == CONTENT


def test_a_server_that_sends_more_when_a_download_is_resumed_is_stopped_too(server, tmp_path):
    server.breaks, server.tells_length = [300_000], False
    file = dataclasses.replace(make_file(server, "x.bin"), most=500_000)
    with pytest.raises(DataError, match="checksum"):
        fetch(file, tmp_path)
    (tmp_path / ".x.bin~").write_bytes(CONTENT[:300_000])
    with pytest.raises(DataError, match="sends more than the 500,000 bytes"):
        fetch(file, tmp_path)
    assert list_files(tmp_path) == []


def test_a_file_in_an_archive_that_is_larger_than_the_official_one_is_not_unpacked(tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(pack(("x.bin", CONTENT)))
    with pytest.raises(DataError, match=r"a\.tar\.gz holds x\.bin with 1024000 bytes, more than the official file has"):
        unpack(tmp_path / "a.tar.gz", tmp_path, name="a.tar.gz", files=[File("x.bin", most=1000)])
    assert list_files(tmp_path) == ["a.tar.gz"]


def test_whatever_the_catalogue_downloads_comes_over_https_with_a_checksum_and_a_bound():
    every = {file for entry in CATALOGUE.values() for file in (entry.archive, *entry.files, *entry.otherwise) if file}
    downloaded = [file for file in every if file.url]
    assert len(downloaded) > 15
    for file in downloaded:
        assert file.url.startswith("https://")
        assert file.checksum
        assert file.most
    unpacked = [file for entry in CATALOGUE.values() if entry.archive for file in entry.files]
    assert all(file.checksum and file.most for file in unpacked)
