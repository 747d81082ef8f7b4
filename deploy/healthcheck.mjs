// Exits with 0 when the service in this container is ready; images have no shell tools that could check it.
const TIMEOUT_MS = 2_500;
const response = await fetch(`http://127.0.0.1:${process.argv[2]}/readyz`, {
  signal: AbortSignal.timeout(TIMEOUT_MS),
}).catch(() => null);
process.exit(response?.ok === true ? 0 : 1);
