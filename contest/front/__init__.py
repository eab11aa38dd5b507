"""The web server: buffer each request completely before it takes a thread of the WSGI application.

`__main__` starts uvicorn · `connections` limits their number and idle time · `bodies` limits how slowly a body may
arrive · `doors` body limits and priorities by URL · `turns` the thread pool and its queue · `shares` fair queueing
between senders · `slots` turns that run beside each other · `listening` long polls without a thread · `gateway` the
ASGI application that calls WSGI · `answers` buffered and early responses · `memory` the heap and the garbage collector
· `draining` shutdown behind a proxy.
"""
