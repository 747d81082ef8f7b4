import { listenOnLoopback, specCases } from '@cairn/testing';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export interface HostileSite {
  origin: string;
  /** Requested paths, in order. */
  asked: string[];
  /** When each request arrived and when its response ended, in milliseconds. */
  times: { startedMs: number; endedMs: number }[];
  /** Highest number of concurrent requests. */
  busiest: number;
  /** Pages that a polite crawler should find. */
  wanted: ReadonlySet<string>;
  close(): Promise<void>;
}

/** 500 of them with `SPEC_DEPTH=4`. */
const PAGES = specCases(125);
const WORDS =
  'harbour lantern gravel meadow copper violin saddle thunder marble orchard pepper velvet canyon ribbon walnut engine compass silver timber feather anchor castle dragon forest garden hammer island jungle kitchen ladder'.split(
    ' ',
  );

function words(seed: number, count: number): string {
  let state = seed * 2_654_435_761 + 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return WORDS[(state >>> 8) % WORDS.length];
  }).join(' ');
}

/**
 * A site of many pages with everything that traps crawlers: a disallowed area, duplicates with a canonical URL, an
 * endless calendar, redirect loops and redirects to private addresses, pages that are too large, too slow or
 * decompression bombs.
 */
export async function startHostileSite(
  options: { robots?: { status: number; body: string }; isSlow?: boolean } = {},
): Promise<HostileSite> {
  const robots = options.robots ?? {
    status: 200,
    body: 'User-agent: *\nDisallow: /private/\nAllow: /private/open.html\nDisallow: /*.cgi$\n',
  };
  const asked: string[] = [];
  const times: HostileSite['times'] = [];
  const site = { busiest: 0, now: 0 };
  const bomb = gzipSync(Buffer.alloc(60 * 1_048_576));
  const page = (path: string, body: string, head = '') =>
    path.length % 2 === 0
      ? `<!doctype html><html><head><title>${path}</title>${head}</head><body><nav><a href="/">home</a></nav><article>${body}</article></body></html>`
      : // As good a page: a parser puts in what is left out.
        `<!doctype html><title>${path}</title>${head}<nav><a href="/">home</a></nav><article>${body}</article>`;
  const link = (path: string) => `<a href="${path}">${path}</a>`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    asked.push(path);
    const time = { startedMs: performance.now(), endedMs: Infinity };
    times.push(time);
    site.now += 1;
    site.busiest = Math.max(site.busiest, site.now);
    response.once('close', () => {
      site.now -= 1;
      time.endedMs = performance.now();
    });
    const html = (text: string) => response.setHeader('content-type', 'text/html').end(text);
    if (path === '/robots.txt')
      return void response.writeHead(robots.status, { 'content-type': 'text/plain' }).end(robots.body);
    const number = /^\/page\/(\d+)\.html/.exec(path)?.[1];
    if (number !== undefined) {
      const n = Number(number);
      const links = [n * 3 + 1, n * 3 + 2, n * 3 + 3]
        .filter((next) => next < PAGES)
        .map((next) => link(`/page/${next}.html`));
      const duplicate = link(`/page/${n}.html?utm_source=x&sessionid=${n}`) + link(`/print/${n}.html`);
      const traps =
        n % 50 === 0 ? [link('/private/secret.html'), link('/form.cgi'), link('/calendar/2026/1')].join(' ') : '';
      return void html(
        page(
          path,
          `<h1>Page ${n}</h1><p>${words(n, 120)}. Fact ${n} is that ${words(n + 9_000, 8)}.</p>${links.join(' ')} ${duplicate} ${traps}`,
        ),
      );
    }
    const printed = /^\/print\/(\d+)\.html/.exec(path)?.[1];
    if (printed !== undefined)
      return void html(
        page(
          path,
          `<h1>Page ${printed}</h1><p>${words(Number(printed), 120)}</p>`,
          `<link rel="canonical" href="/page/${printed}.html">`,
        ),
      );
    const month = /^\/calendar\/(\d+)\/(\d+)/.exec(path);
    if (month !== null) {
      const [year, index] = [Number(month[1]), Number(month[2])];
      const next = index === 12 ? `/calendar/${year + 1}/1` : `/calendar/${year}/${index + 1}`;
      return void html(
        page(
          path,
          `<h1>Calendar ${index} ${year}</h1><p>There are no events in this month. Choose another month to see what happens in the hall.</p>${link(next)} ${link(`/calendar/${year + 1}/${index}`)}`,
        ),
      );
    }
    switch (path) {
      case '/':
        return void html(
          page(
            'start',
            `<h1>Start</h1><p>${words(77_777, 80)}</p>${['/page/0.html', '/loop/a', '/huge', '/slow', '/bomb', '/inside', '/private/open.html', '/calendar/2026/1', '/moved', '/file.bin', '/broken'].map(link).join(' ')}`,
          ),
        );
      case '/loop/a':
        return void response.writeHead(302, { location: '/loop/b' }).end();
      case '/loop/b':
        return void response.writeHead(302, { location: '/loop/a' }).end();
      case '/moved':
        return void response.writeHead(301, { location: '/page/1.html' }).end();
      case '/inside':
        return void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
      case '/huge':
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': String(50 * 1_048_576) });
        return void endless(response, 50);
      case '/bomb':
        return void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb);
      case '/slow':
        if (options.isSlow === false) return void response.writeHead(404).end();
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write('<html>');
        return;
      case '/file.bin':
        return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes');
      case '/broken':
        return void response.writeHead(500).end('sorry');
      case '/private/open.html':
        return void html(page(path, `<h1>Open</h1><p>${words(55_555, 100)}</p>`));
      default:
        return void response.writeHead(404).end();
    }
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  const port = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${port}`;
  const wanted = new Set(['/', '/private/open.html', ...Array.from({ length: PAGES }, (_, n) => `/page/${n}.html`)]);
  return {
    origin,
    asked,
    times,
    get busiest() {
      return site.busiest;
    },
    wanted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function endless(response: ServerResponse, megabytes: number): void {
  let left = megabytes;
  const more = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(Buffer.alloc(1_048_576, 'x'))) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}
