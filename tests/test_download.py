"""The downloader of module 09 against a server on this machine: progress, resume, checksum, no network."""
import gzip
import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from tinytorch.core import dataloader
from tinytorch.core.dataloader import download, download_mnist

DATA = bytes(range(256)) * 2000
MD5 = hashlib.md5(DATA).hexdigest()


@pytest.fixture
def server():
    """A server with `files` {path: bytes}, that understands Range, breaks off after `limit` bytes, and notes its requests."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            http.requests.append((self.path, self.headers.get('Range')))
            data = http.files.get(self.path)
            if data is None: return self.send_error(404)
            start = int(re.fullmatch(r'bytes=(\d+)-', self.headers['Range']).group(1)) if self.headers.get('Range') and http.ranges else 0
            if start and start >= len(data): return self.send_error(416)
            self.send_response(206 if start else 200)
            self.send_header('Content-Length', str(len(data) - start))
            self.end_headers()
            self.wfile.write(data[start:][:http.limit])

        def log_message(self, *args): pass

    http = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    http.files, http.requests, http.limit, http.ranges = {'/data': DATA}, [], None, True
    http.url = f'http://127.0.0.1:{http.server_port}/'
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield http
    http.shutdown()
    http.server_close()


def test_download_reports_progress_and_is_kept(server, tmp_path):
    seen = []
    path = download(server.url + 'data', tmp_path / 'new' / 'data', MD5, lambda *p: seen.append(p))
    assert path.read_bytes() == DATA
    assert seen[-1] == (len(DATA), len(DATA)) and sorted(seen) == seen and len(seen) > 1
    download(server.url + 'data', path, MD5)
    assert len(server.requests) == 1, 'what is there is not fetched again'


def test_broken_connection_is_continued(server, tmp_path):
    server.limit = 100_000
    with pytest.raises(ConnectionError, match='what came is kept'): download(server.url + 'data', tmp_path / 'data', MD5)
    assert (tmp_path / 'data.part').stat().st_size == 100_000 and not (tmp_path / 'data').exists()
    server.limit, seen = None, []
    assert download(server.url + 'data', tmp_path / 'data', MD5, lambda *p: seen.append(p)).read_bytes() == DATA
    assert server.requests[-1] == ('/data', 'bytes=100000-')
    assert seen[0][0] > 100_000 and seen[-1] == (len(DATA), len(DATA))
    assert not (tmp_path / 'data.part').exists()


def test_a_server_without_ranges_starts_again(server, tmp_path):
    (tmp_path / 'data.part').write_bytes(DATA[:5000])
    server.ranges = False
    assert download(server.url + 'data', tmp_path / 'data', MD5).read_bytes() == DATA


def test_a_whole_part_needs_nothing_more(server, tmp_path):
    (tmp_path / 'data.part').write_bytes(DATA)
    assert download(server.url + 'data', tmp_path / 'data', MD5).read_bytes() == DATA


def test_wrong_checksum_deletes_what_came(server, tmp_path):
    with pytest.raises(ValueError, match='wrong checksum'): download(server.url + 'data', tmp_path / 'data', '0' * 32)
    assert list(tmp_path.iterdir()) == []


def test_no_network_is_one_sentence(server, tmp_path):
    url = server.url
    server.shutdown()
    server.server_close()
    with pytest.raises(ConnectionError, match='check the network'): download(url + 'data', tmp_path / 'data', MD5)
    with pytest.raises(ConnectionError, match='check the network'): download('http://no-such-host.invalid/data', tmp_path / 'data', MD5)


def test_all_of_mnist(server, tmp_path, monkeypatch):
    images, labels = np.arange(2 * 28 * 28, dtype=np.uint8).reshape(2, 28, 28), np.uint8([7, 3])
    header = lambda a: bytes([0, 0, 8, a.ndim]) + b''.join(n.to_bytes(4, 'big') for n in a.shape)
    sums = {}
    for name, array in (('t10k-images-idx3-ubyte.gz', images), ('t10k-labels-idx1-ubyte.gz', labels)):
        server.files['/' + name] = gzip.compress(header(array) + array.tobytes())
        sums[name] = hashlib.md5(server.files['/' + name]).hexdigest()
    monkeypatch.setattr(dataloader, 'MNIST', sums)
    got_images, got_labels = download_mnist(tmp_path, train=False, url=server.url)
    np.testing.assert_array_equal(got_images, images)
    np.testing.assert_array_equal(got_labels, labels)
