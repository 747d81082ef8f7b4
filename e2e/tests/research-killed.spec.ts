import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import { api } from './api.ts';
import { databaseOf, pidsOf } from './inside.ts';
import { type Replica, startReplica } from './more-replicas.ts';

const KILLS = 30;
const RUNS = 6;
const TAKEN_OVER_MS = 10_000;
const SETTLED_MS = 180_000;
const PAGES = 40;
const ENDED = /^run\.(?:completed|failed|cancelled|expired)$/;

let cairn: RunningCairn;
let site: Server;
let origin: string;
let asked: string[] = [];

beforeAll(async () => {
  cairn = await startCairn({ args: [], env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true', CAIRN_CRAWL_PAUSE_MS: '100' } });
  site = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const number = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    const links = [number * 2 + 1, number * 2 + 2]
      .filter((next) => next < PAGES)
      .map((next) => `<a href="/p${next}">p${next}</a>`);
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>Page ${number}</title><main><p>Alarm number ${number} of the freezer was sent to ${number + 3} people within ${number + 5} minutes of the outage.</p>${links.join(' ')}</main>`,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}, 240_000);
afterAll(async () => {
  await cairn.remove();
  await new Promise((resolve) => {
    site.close(resolve);
    site.closeAllConnections();
  });
});

interface RunEvent {
  seq: number;
  type: string;
}

/** Follows a run as a client that comes back whenever it is cut off; gives all that it was ever sent. */
async function follow(threadId: string, signal: AbortSignal): Promise<{ events: RunEvent[]; silentMs: number }> {
  const events: RunEvent[] = [];
  let last = performance.now();
  let silentMs = 0;
  while (!ENDED.test(events.at(-1)?.type ?? '') && !signal.aborted) {
    try {
      const response = await fetch(`${cairn.baseUrl}/research/stream/${threadId}`, {
        headers: {
          'x-api-key': cairn.apiKey,
          ...(events.length === 0 ? {} : { 'last-event-id': String(events.at(-1)!.seq) }),
        },
        signal,
      });
      let text = '';
      for await (const bytes of response.body ?? []) {
        text += Buffer.from(bytes as Uint8Array).toString();
        const parts = text.split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data === undefined) continue;
          silentMs = Math.max(silentMs, performance.now() - last);
          last = performance.now();
          events.push(JSON.parse(data) as RunEvent);
        }
      }
    } catch {
      // Cut off by the kill; it comes back.
    }
    await sleep(100);
  }
  return { events, silentMs };
}

describe('research with two replicas of its service, one after the other killed with -9', () => {
  it(`completes every run over ${KILLS} kills; a watcher misses and repeats nothing; each is charged once`, async () => {
    const replicas: Replica[] = [await startReplica(cairn, 'research')];
    const giveUp = new AbortController();
    const query = `How did the freezer alarm outage go, how many people got an alarm and within how many minutes? ${origin}/p0`;
    const start = async (): Promise<string> =>
      (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/search/research/start', { query })).body.thread_id;
    const threads: string[] = [];
    const watching: Promise<Awaited<ReturnType<typeof follow>>>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      if (kill % (KILLS / RUNS) === 0) {
        const threadId = await eventually(start, (id) => typeof id === 'string', 30_000);
        threads.push(threadId);
        watching.push(follow(threadId, giveUp.signal));
      }
      await sleep(Math.random() * 900);
      if (kill % 2 === 0) {
        await replicas.shift()!.stop();
        replicas.push(await startReplica(cairn, 'research', { CAIRN_LOG_LEVEL: kill % 4 === 0 ? 'warn' : 'error' }));
      } else {
        const [own] = (await pidsOf(cairn, 'research')).filter((pid) =>
          replicas.every((replica) => replica.process.pid !== pid),
        );
        if (own !== undefined) process.kill(own, 'SIGKILL');
      }
    }
    const database = await databaseOf(cairn);
    const unfinished = async () =>
      (await database.query(`SELECT run_id FROM research.runs WHERE status NOT IN ('completed', 'failed')`)).rowCount;
    await eventually(unfinished, (left) => left === 0, SETTLED_MS);
    const watched = await Promise.race([Promise.all(watching), sleep(60_000).then(() => giveUp.abort())]);
    expect(watched).toHaveLength(RUNS);
    for (const [index, { events }] of watched!.entries()) {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, position) => position + 1));
      expect(events.filter(({ type }) => ENDED.test(type)).map(({ type }) => type)).toEqual(['run.completed']);
      const doubled = await database.query(
        `SELECT origin FROM research.sources WHERE run_id = $1 GROUP BY origin HAVING count(*) > 1
         UNION ALL SELECT source_id || start_at FROM research.findings WHERE run_id = $1 GROUP BY source_id, start_at HAVING count(*) > 1`,
        [threads[index]],
      );
      expect(doubled.rows).toEqual([]);
    }
    const states = await database.query<{ charge_state: string; charge: string }>(
      'SELECT charge, charge_state FROM research.research_runs',
    );
    expect(states.rows.every(({ charge }) => charge === 'research.run')).toBe(true);
    // No lease outlived its owner by more than is promised: the longest time that nothing was told.
    const longest = Math.max(...watched!.map(({ silentMs }) => silentMs));
    expect(longest).toBeLessThan(TAKEN_OVER_MS + 15_000);
    process.stdout.write(`longest silence of a run over ${KILLS} kills: ${Math.round(longest)} ms\n`);
    await database.end();
    await Promise.all(replicas.map((replica) => replica.stop()));
  }, 420_000);
});
