import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileSites {
  /** Serves a robots.txt and pages that are expensive to read. */
  siteUrl: string;
  /** Takes webhook deliveries and counts them. */
  receiverUrl: string;
  deliveries(): { total: number; peakPerSecond: number };
  close(): void;
}

const TABS = 4_500;

export async function startHostileSites(): Promise<HostileSites> {
  let total = 0;
  let peakPerSecond = 0;
  let second = 0;
  let inSecond = 0;
  const site = await listen((path) =>
    path === '/robots.txt'
      ? { type: 'text/plain', body: `User-agent: *\nallow${'\t'.repeat(TABS)}x\u2028y\n` }
      : {
          type: 'text/html',
          body: `<html><body>${'<!---->'.repeat(2_000)}<p>${'\t- '.repeat(3_000)} x</p><a href="/${path.length}x">next</a></body></html>`,
        },
  );
  const receiver = await listen(() => {
    total += 1;
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) inSecond = 0;
    second = now;
    inSecond += 1;
    peakPerSecond = Math.max(peakPerSecond, inSecond);
    return { type: 'text/plain', body: 'ok' };
  });
  return {
    siteUrl: addressOf(site),
    receiverUrl: addressOf(receiver),
    deliveries: () => ({ total, peakPerSecond }),
    close() {
      for (const server of [site, receiver]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function listen(respond: (path: string) => { type: string; body: string }): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const { type, body } = respond(request.url ?? '/');
    response.setHeader('content-type', type);
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
