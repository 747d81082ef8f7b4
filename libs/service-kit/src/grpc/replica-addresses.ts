import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export interface HostPort {
  host: string;
  port: number;
}

/** All addresses of a host. */
export type LookupHost = (host: string) => Promise<readonly string[]>;

/** How soon a replica that joined is called; grpc-js itself would look again only after a connection broke. */
const LOOKUP_EVERY_MS = 2_000;
/** A channel asks again with each connection that fails. */
const LOOKUP_PAUSE_MS = 500;
const DNS_PREFIX = 'dns:///';

export async function lookupHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Splits `h1:7000,h2:7000`, `dns:///name:7000` or a single `host:port`. Throws with an understandable message. */
export function hostPorts(target: string): HostPort[] {
  const list = target.startsWith(DNS_PREFIX) ? target.slice(DNS_PREFIX.length) : target;
  return list.split(',').map((each) => {
    const match = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(each.trim());
    if (match === null || Number(match[3]) > 65_535)
      throw new Error(`"${target}" is not a gRPC address; it is written host:port, with several separated by commas.`);
    return { host: match[1] ?? match[2] ?? '', port: Number(match[3]) };
  });
}

interface AddressWatch {
  /** Looks the names up now, unless that was done a moment ago. */
  refresh(): void;
  close(): void;
}

/**
 * Says the addresses of all hosts, never synchronously, and again whenever a lookup every two seconds finds others. A
 * lookup that fails leaves the addresses of the last one; `failure` is there when there never were any, and is said
 * after each lookup.
 */
export function watchAddresses(
  targets: readonly HostPort[],
  lookupOf: LookupHost,
  tell: (addresses: readonly HostPort[], failure: unknown) => void,
): AddressWatch {
  const hosts = [...new Set(targets.map(({ host }) => host))];
  const known = new Map<string, readonly string[]>();
  let published = '';
  let working = false;
  let closed = false;
  let lookedUpAt = -Infinity;

  async function lookUp(): Promise<void> {
    if (working) return;
    working = true;
    lookedUpAt = performance.now();
    const found = await Promise.allSettled(hosts.map((host) => (isIP(host) === 0 ? lookupOf(host) : [host])));
    working = false;
    if (closed) return;
    found.forEach((outcome, n) => {
      if (outcome.status === 'fulfilled') known.set(hosts[n]!, outcome.value);
    });
    const addresses = targets.flatMap(({ host, port }) =>
      (known.get(host) ?? []).map((address) => ({ host: address, port })),
    );
    const text = JSON.stringify(addresses.map(({ host, port }) => `${host} ${port}`).sort());
    // Without any address the channel waits to hear so after each lookup; its calls would wait for their deadline.
    if (text === published && addresses.length > 0) return;
    published = text;
    tell(addresses, found.find((outcome) => outcome.status === 'rejected')?.reason);
  }

  const isFixed = hosts.every((host) => isIP(host) !== 0);
  const timer = isFixed ? undefined : setInterval(() => void lookUp(), LOOKUP_EVERY_MS).unref();
  return {
    refresh() {
      const isRecent = performance.now() - lookedUpAt < LOOKUP_PAUSE_MS;
      if (!isRecent && !(isFixed && published !== '')) void lookUp();
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}
