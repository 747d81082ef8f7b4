import { listenOnLoopback } from '@cairn/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowSites {
  /** URLs of the first pages, one per site. */
  origins: readonly string[];
  close(): Promise<void>;
}

const ANSWER_AFTER_MS = 50;

/** Sites of a few slow pages each, on ports of their own, so that the crawler treats them as hosts. */
export async function startSlowSites(count: number, pages: number): Promise<SlowSites> {
  const servers = await Promise.all(Array.from({ length: count }, (_, site) => startSite(site, pages)));
  return {
    origins: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/p0`),
    async close() {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise((resolve) => {
              server.close(resolve);
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}

async function startSite(site: number, pages: number): Promise<Server> {
  const server = createServer((request, response) => {
    setTimeout(() => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
      const links = [number * 2 + 1, number * 2 + 2].filter((next) => next < pages);
      const anchors = links.map((next) => `<a href="/p${next}">p${next}</a>`).join(' ');
      response.setHeader('content-type', 'text/html');
      response.end(
        `<title>Depot ${site}, page ${number}</title><main><p>Depot ${site} sent freezer alarm number ${number} to ${number + 3} people within ${number + 5} minutes of the outage.</p><p>Valve ${number} of depot ${site} was changed ${number + 2} days later.</p>${anchors}</main>`,
      );
    }, ANSWER_AFTER_MS);
  });
  await listenOnLoopback(server);
  return server;
}
