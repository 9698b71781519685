# Serves Millrace on port 8000. Everything installed is pinned with hashes: what runs in requirements-server.lock, what
# builds the package in requirements-build.lock. docs/cluster.md says how the base image is pinned by its digest.
ARG PYTHON=python:3.12-slim

FROM ${PYTHON} AS build
WORKDIR /source
COPY requirements-build.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements-build.lock

COPY pyproject.toml README.md LICENSE ./
COPY millrace/*.py millrace/
COPY tools tools
COPY engine engine
COPY protocol protocol
COPY server server
COPY client client
COPY migrations migrations
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM ${PYTHON}
RUN useradd --uid 10001 --create-home millrace && install --directory --owner=millrace /data /metrics
COPY requirements-server.lock /
RUN pip install --no-cache-dir --require-hashes --requirement /requirements-server.lock
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps --no-index /wheels/*.whl

# The compiled kernels outlive the container, so that only the first start compiles.
ENV MILLRACE_DATA_DIR=/data MILLRACE_KERNEL_CACHE=/data/kernels
USER millrace
WORKDIR /home/millrace
VOLUME /data
EXPOSE 8000

# Alive, not ready: what restarts unhealthy containers must not do so while the database is away.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=2)"]

ENTRYPOINT ["millrace"]
CMD ["serve", "--host", "0.0.0.0"]
