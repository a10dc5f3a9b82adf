# A server in a container: docker build -t dormie . && docker run -p 8421:8421 -v dormie:/data dormie
FROM python:3.12-slim AS built
WORKDIR /src
COPY requirements.lock pyproject.toml README.md LICENSE ./
COPY rules rules
COPY protocol protocol
COPY server server
COPY clients clients
RUN python -m venv /opt/dormie \
  && /opt/dormie/bin/pip install --no-cache-dir --require-hashes -r requirements.lock \
  && /opt/dormie/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12-slim
COPY --from=built /opt/dormie /opt/dormie
RUN useradd --system --uid 8421 --home-dir /data --create-home dormie
USER dormie
WORKDIR /data
VOLUME /data
ENV PATH=/opt/dormie/bin:$PATH DORMIE_HOST=0.0.0.0 DORMIE_PORT=8421 DORMIE_DATA=/data/dormie.db
EXPOSE 8421
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8421/healthz', timeout=2)"]
ENTRYPOINT ["dormie-server"]
