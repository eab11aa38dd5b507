# One image for every process of the site; docker-compose.yml says which command each runs. The solve worker has a larger
# one, with the compiler of the searches: --build-arg REQUIREMENTS=solve. REQUIREMENTS=monitoring also has the packages of
# error reports and traces.

ARG PYTHON=python:3.11-slim-bookworm

FROM ${PYTHON} AS packages
ARG REQUIREMENTS=base
COPY requirements/base.txt /tmp/base.txt
COPY requirements/solve.txt /tmp/solve.txt
COPY requirements/monitoring.txt /tmp/monitoring.txt
# Ready-made packages only, each checked against its hash: no compiler is needed, here or below.
RUN python -m venv /venv \
    && /venv/bin/python -m pip install --no-cache-dir --only-binary :all: --require-hashes -r "/tmp/$REQUIREMENTS.txt" \
    && /venv/bin/python -m pip uninstall --yes pip setuptools

FROM ${PYTHON}
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent leitai
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/tmp NUMBA_CACHE_DIR=/tmp/numba
COPY --from=packages /venv /venv
WORKDIR /app
COPY manage.py ./
COPY contest contest
COPY solvers solvers
COPY templates templates
COPY docs/reference/api.md docs/reference/api.md
COPY docs/reference/rules.md docs/reference/rules.md
COPY docs/reference/rules.zh-hans.md docs/reference/rules.zh-hans.md
COPY docs/site docs/site
# The key serves this one step and is in no file of the image. The site itself refuses to start without its own.
RUN SECRET_KEY=$(python -c "import secrets; print(secrets.token_urlsafe(50))") \
    python manage.py collectstatic --no-input \
    && python -m compileall -q contest solvers
USER leitai
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "contest.front", "--host", "0.0.0.0", "--port", "8000", "contest.wsgi:application"]
