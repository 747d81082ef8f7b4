import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answer, type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts';

const run = promisify(execFile);
const SDK = join(import.meta.dirname, '..', 'src', 'index.ts');
let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());

/** A program of its own, as Jest hides the agent of Node's `fetch`; no resolver that it asks knows a name. */
const program = (host: string) => `
  import dns from 'node:dns';
  dns.lookup = (name, options, found) => (found ?? options)(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  const { Cairn } = await import(${JSON.stringify(SDK)});
  const memory = Cairn.forMemory({ host: ${JSON.stringify(host)}, apiKey: 'mk_1', maxRetries: 0 });
  console.log((await memory.search.query({ query: 'q' })).answer);
`;

it('a program reaches a memory of its own machine by a name that no resolver knows, and names it as the host', async () => {
  const { origin, host } = new URL(server.baseUrl.replace('127.0.0.1', 'm-1.localhost'));
  server.behave(answer({ answer: 'yes' }));
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program(origin)]);
  expect([stdout.trim(), server.seen[0]!.headers.host]).toEqual(['yes', host]);
});
