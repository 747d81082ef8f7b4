import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Endpoints in a process of their own. Those that are dead take a request and never answer it. */
export interface ReceiversOptions {
  alive: number;
  dead: number;
  /** All on one address; else each has one of its own, as budgets are kept by address. */
  oneHost?: boolean;
}

/** What came since the last question. */
export interface ReceivedDeliveries {
  /** To endpoints that are alive, repeats included. */
  count: number;
  /** From the commit of the event to its arrival, one for each that came. */
  latenciesMs: number[];
  lastAtMs: number;
  /** Event and endpoint of each, when that was asked for. */
  keys: string[];
}

let came: ReceivedDeliveries = { count: 0, latenciesMs: [], lastAtMs: 0, keys: [] };
let keep = false;

process.on('message', async (message: { start?: ReceiversOptions; take?: true; keepKeys?: boolean }) => {
  if (message.keepKeys !== undefined) keep = message.keepKeys;
  if (message.take === true) {
    process.send?.({ came });
    came = { count: 0, latenciesMs: [], lastAtMs: 0, keys: [] };
  }
  if (message.start === undefined) return;
  const { alive, dead, oneHost = false } = message.start;
  const urls = await Promise.all(
    Array.from({ length: alive + dead }, (_value, n) => endpoint(n, n >= alive, oneHost ? addressOf(0) : addressOf(n))),
  );
  process.send?.({ urls });
});
process.on('disconnect', () => process.exit(0));

/** Everything in 127.0.0.0/8 is this machine. */
const addressOf = (number: number) => `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`;

async function endpoint(number: number, dead: boolean, address: string): Promise<string> {
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
  server.listen(0, address);
  await once(server, 'listening');
  return `http://${address}:${(server.address() as AddressInfo).port}/hook`;
}
