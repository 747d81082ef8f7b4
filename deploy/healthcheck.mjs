// Exits with 0 when the service in this container is ready; images have no shell tools that could check it.
// A service that speaks TLS to its callers answers probes at the port of CAIRN_HEALTH_LISTEN, without a certificate.
const TIMEOUT_MS = 2_500;
const port = process.env.CAIRN_HEALTH_LISTEN?.split(':').at(-1) || process.argv[2];
const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).catch(() => null);
process.exit(response?.ok === true ? 0 : 1);
