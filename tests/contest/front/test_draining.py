"""A web process that was told to stop keeps answering until the proxy has noticed."""

import signal

from tests.contest.patience import wait_until


def test_a_draining_server_answers_new_clients_and_finishes_open_requests(serve, connect):
    server = serve(DRAIN_SECONDS="600", WEB_THREADS="2")
    server.child.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not server.is_up())
    assert [server.get(probe)[0] for probe in ("/healthz", "/readyz")] == [503, 503]
    status, headers, body = server.get(method="POST", body=b"x")
    assert (status, headers["Connection"], body) == (200, "close", b"POST 1 1")
    waiting = connect(server, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nx")
    assert server.get("/healthz")[0] == 503
    server.child.process.send_signal(signal.SIGTERM)
    waiting.sendall(b"y")
    assert waiting.recv(1_000).startswith(b"HTTP/1.1 200 ")
    server.child.process.wait(60)
