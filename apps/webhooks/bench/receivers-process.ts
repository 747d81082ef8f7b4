import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Endpoints in a process of their own. Those that are dead take a request and never answer it. */
export interface ReceiversOptions {
  alive: number;
  dead: number;
}

/** What came since the last question. */
export interface Came {
  /** To endpoints that are alive, repeats included. */
  count: number;
  /** From the commit of the event to its arrival, one for each that came. */
  latenciesMs: number[];
  lastAtMs: number;
  /** Event and endpoint of each, when that was asked for. */
  keys: string[];
}

let came: Came = { count: 0, latenciesMs: [], lastAtMs: 0, keys: [] };
let keep = false;

process.on('message', async (message: { start?: ReceiversOptions; take?: true; keepKeys?: boolean }) => {
  if (message.keepKeys !== undefined) keep = message.keepKeys;
  if (message.take === true) {
    process.send?.({ came });
    came = { count: 0, latenciesMs: [], lastAtMs: 0, keys: [] };
  }
  if (message.start === undefined) return;
  const { alive, dead } = message.start;
  const urls = await Promise.all(Array.from({ length: alive + dead }, (_value, n) => endpoint(n, n >= alive)));
  process.send?.({ urls });
});
process.on('disconnect', () => process.exit(0));

async function endpoint(number: number, dead: boolean): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      if (dead) return;
      const now = Date.now();
      const occurredAt = /"occurred_at":"([^"]+)"/.exec(body)![1]!;
      came.count += 1;
      came.lastAtMs = now;
      came.latenciesMs.push(now - Date.parse(occurredAt));
      if (keep) came.keys.push(`${/"event_id":"([^"]+)"/.exec(body)![1]} ${number}`);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}
