import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { generateKey } from '@cairn/identity';
import { type Attack, type AttackContext, pick, postJson, someKey } from './attack.ts';
import { HOSTILE_ADDRESS } from './hostile-client.ts';

const IDLE_CONNECTIONS_MAX = 8_000;
const MINTED_MAX = 500;
const minted: string[] = [];
const idle = new Set<Socket>();

/** Keys with the smallest rates that are accepted, and with some that must not be. */
async function poisonedKey(context: AttackContext): Promise<string> {
  const rate = pick(context.random, [5e-324, 1e-300, 0.000_001, 0.01, 1]);
  const made = await postJson(context, '/api/v1/api-keys', {
    name: 'p',
    rate_limit: { requests_per_second: rate, burst: 1 },
  });
  keep(made.body);
  return made.status;
}

async function anotherKey(context: AttackContext): Promise<string> {
  const made = await postJson(context, '/api/v1/api-keys', { name: 'n' });
  keep(made.body);
  return made.status;
}

function keep(body: string): void {
  const key = /"api_key":"([^"]+)"/.exec(body)?.[1];
  if (key !== undefined && minted.length < MINTED_MAX) minted.push(key);
}

/** All keys of the tenant at once, as fast as they go. */
async function manyKeys(context: AttackContext): Promise<string> {
  const apiKey = minted.length === 0 ? context.liveKey : pick(context.random, minted);
  return `${(await context.client.send('GET', '/api/v1/memories', { apiKey })).status}`;
}

/** Keys that look right and that nobody holds. */
async function unknownKey(context: AttackContext): Promise<string> {
  return `${(await context.client.send('GET', '/api/v1/memories', { apiKey: generateKey('live').plaintext })).status}`;
}

/** Opens connections that never say anything, as many as are let in. */
function idleConnections(context: AttackContext): Promise<string> {
  const { hostname, port } = new URL(context.client.baseUrl);
  for (let count = 0; count < 100 && idle.size < IDLE_CONNECTIONS_MAX; count += 1) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: HOSTILE_ADDRESS });
    idle.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => idle.delete(socket));
    context.signal.addEventListener('abort', () => socket.destroy(), { once: true });
  }
  return Promise.resolve('opened');
}

/** Texts full of names, each of which is an event for every webhook of the tenant. */
async function manyEvents(context: AttackContext): Promise<string> {
  const name = () => randomBytes(4).toString('hex').replaceAll(/\d/g, 'o');
  const sentences = Array.from({ length: 200 }, () => `Mr Jon ${capital(name())} met Ms Ida ${capital(name())} Vale.`);
  return (await postJson(context, '/api/v1/memory/documents', { content: sentences.join(' ') }, context.testKey))
    .status;
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

const EVENTS = ['memory.ingest.completed', 'memory.entity.created', 'memory.ingest.auto_routed'];

async function anotherWebhook(context: AttackContext): Promise<string> {
  const url = `${context.sites.receiverUrl}/${Math.floor(context.random() * 1e9)}`;
  return (await postJson(context, '/api/v1/webhooks', { url, events: EVENTS }, context.testKey)).status;
}

/** Streams that are opened and left. */
async function abandonedStream(context: AttackContext): Promise<string> {
  const { hostname, port } = new URL(context.client.baseUrl);
  const body = JSON.stringify({ query: 'Who is on call?' });
  const socket = connect({ host: hostname, port: Number(port), localAddress: HOSTILE_ADDRESS });
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/v1/memory/search/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-api-key: ${someKey(context)}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 20 + context.random() * 100));
  socket.destroy();
  return 'left';
}

export const FLOOD_ATTACKS: readonly Attack[] = [
  { name: 'keys with poisoned rates', everyMs: 2_000, parallel: 1, run: poisonedKey },
  { name: 'keys without number', everyMs: 200, parallel: 2, run: anotherKey },
  { name: 'requests with all keys at once', everyMs: 10, parallel: 8, run: manyKeys },
  { name: 'unknown keys', everyMs: 10, parallel: 16, run: unknownKey },
  { name: 'idle connections', everyMs: 1_000, parallel: 1, run: idleConnections },
  { name: 'webhooks on one receiver', everyMs: 1_000, parallel: 1, run: anotherWebhook },
  { name: 'documents full of names', everyMs: 3_000, parallel: 1, run: manyEvents },
  { name: 'streams opened and left', everyMs: 200, parallel: 2, run: abandonedStream },
];
