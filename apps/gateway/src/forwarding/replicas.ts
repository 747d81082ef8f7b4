import { isIP } from 'node:net';
import { type HostPort, type LookupHost, lookupHost, watchAddresses } from '@cairn/service-kit';
import { DEFAULT_PORTS } from './upstream-bounds.ts';

/** The replicas of one service: every address that the host of its URL stands for. */
export interface Replicas {
  /**
   * URL of the replica for the next request: in turn, one that was not `tried`, and none that failed within the last
   * second while there is another. For a request that cannot be sent twice, only replicas that were reached last time
   * are taken, as long as there are any.
   */
  next(tried?: ReadonlySet<string>, canRepeat?: boolean): string;
  hasOther(tried: ReadonlySet<string>): boolean;
  reached(url: string): void;
  /** No connection could be made. */
  failed(url: string): void;
}

export interface ReplicaDirectory {
  of(serviceUrl: string): Replicas;
  /** Called with the URLs of replicas that left. */
  onGone(listener: (url: string) => void): void;
  close(): void;
}

const FAILED_REST_MS = 1_000;

/** Looks the hosts of services up again every two seconds. */
export function createReplicaDirectory(lookupOf: LookupHost = lookupHost): ReplicaDirectory {
  const known = new Map<string, ReturnType<typeof watchReplicas>>();
  const listeners: ((url: string) => void)[] = [];
  const onGone = (url: string) => listeners.forEach((listener) => listener(url));
  return {
    of(serviceUrl) {
      const found = known.get(serviceUrl);
      if (found !== undefined) return found;
      const replicas = watchReplicas(serviceUrl, onGone, lookupOf);
      known.set(serviceUrl, replicas);
      return replicas;
    },
    onGone: (listener) => listeners.push(listener),
    close() {
      for (const replicas of known.values()) replicas.close();
    },
  };
}

function watchReplicas(
  serviceUrl: string,
  onGone: (url: string) => void,
  lookupOf: LookupHost,
): Replicas & { close(): void } {
  const { protocol, hostname, port } = new URL(serviceUrl);
  // Until the first lookup has ended the system finds the address.
  let urls: readonly string[] = [serviceUrl];
  let turn = 0;
  const reached = new Set<string>();
  const restingUntil = new Map<string, number>();

  const found = (addresses: readonly HostPort[]) => {
    if (addresses.length === 0) return;
    const now = addresses.map(
      ({ host, port: each }) => `${protocol}//${isIP(host) === 6 ? `[${host}]` : host}:${each}`,
    );
    const gone = urls.filter((url) => !now.includes(url));
    urls = now;
    for (const url of gone) {
      reached.delete(url);
      restingUntil.delete(url);
      onGone(url);
    }
  };
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  const watch = isAddress
    ? null
    : watchAddresses([{ host: hostname, port: Number(port || DEFAULT_PORTS[protocol]) }], lookupOf, found);
  watch?.refresh();

  return {
    next(tried, canRepeat = true) {
      if (urls.length === 1) return urls[0]!;
      turn = (turn + 1) % urls.length;
      const inTurn = [...urls.slice(turn), ...urls.slice(0, turn)];
      const untried = inTurn.filter((url) => tried?.has(url) !== true);
      const now = performance.now();
      const isRested = (url: string) => (restingUntil.get(url) ?? 0) <= now;
      const wanted = canRepeat ? isRested : (url: string) => reached.has(url);
      return untried.find(wanted) ?? untried.find(isRested) ?? untried[0] ?? inTurn[0]!;
    },
    hasOther: (tried) => urls.some((url) => !tried.has(url)),
    reached(url) {
      // A response may still come from one that has left.
      if (!urls.includes(url)) return;
      reached.add(url);
      restingUntil.delete(url);
    },
    failed(url) {
      if (!urls.includes(url)) return;
      reached.delete(url);
      restingUntil.set(url, performance.now() + FAILED_REST_MS);
    },
    close: () => watch?.close(),
  };
}
