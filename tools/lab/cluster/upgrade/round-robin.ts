import { createServer, request, type Server } from 'node:http';
import { listenOnLoopback } from '@cairn/testing';

/** One address for several servers: requests go to them in turn, as behind a load balancer that knows no better. */
export interface RoundRobin {
  url: string;
  /** Requests that each server got, in the order of the servers. */
  counts: number[];
  /** Only this server from now on; null for all in turn. */
  only(index: number | null): void;
  close(): Promise<void>;
}

export async function roundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const counts = urls.map(() => 0);
  let turn = 0;
  let pinned: number | null = null;
  const server: Server = createServer((incoming, outgoing) => {
    const index = pinned ?? turn++ % urls.length;
    counts[index]! += 1;
    const { method, url = '/', headers } = incoming;
    // The target as it came: the identity of the request is bound to it.
    const { hostname, port } = new URL(urls[index]!);
    const forwarded = request({ hostname, port, path: url, method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    only(index) {
      pinned = index;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
