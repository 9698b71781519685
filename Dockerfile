# Serves Millrace on port 8000. All requirements are pinned with hashes in requirements-server.lock.
FROM python:3.12-slim

RUN useradd --uid 10001 --create-home millrace && install --directory --owner=millrace /data

WORKDIR /source
COPY requirements-server.lock ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements-server.lock

COPY pyproject.toml README.md LICENSE ./
COPY millrace/*.py millrace/
COPY tools tools
COPY engine engine
COPY protocol protocol
COPY server server
COPY client client
COPY migrations migrations
RUN pip install --no-cache-dir --no-deps . && rm -rf /source/*

# The compiled kernels outlive the container, so that only the first start compiles.
ENV MILLRACE_KERNEL_CACHE=/data/kernels
USER millrace
WORKDIR /home/millrace
VOLUME /data
EXPOSE 8000

# Healthy once the server accepts players; until then /health answers 503.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=2)"]

ENTRYPOINT ["millrace"]
CMD ["serve", "--host", "0.0.0.0", "--data-dir", "/data"]
