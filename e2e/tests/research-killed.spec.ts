import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, listenOnLoopback, type RunningCairn, startCairn } from '@cairn/testing';
import type pg from 'pg';
import { api } from './api.ts';
import { databaseOf } from './installation-state.ts';
import { type Replica, startReplica } from './more-replicas.ts';

/** 30 of them, as often as one likes: `SPEC_KILLS=30 npx jest … research-killed`. */
const KILLS = Number(process.env['SPEC_KILLS'] ?? 12);
const RUNS = 6;
/** The lease's six seconds, and the start of a replica where both are down at a time; a busy machine takes its own. */
const TAKEN_OVER_MS = 45_000;
/** As the ledger's runner has it. */
const LEASE_MS = 6_000;
const SETTLED_MS = 180_000;
const PAGES = 40;
const ENDED = /^run\.(?:completed|failed|cancelled|expired)$/;

let cairn: RunningCairn;
let site: Server;
let origin: string;

beforeAll(async () => {
  cairn = await startCairn({
    args: [],
    env: {
      CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
      CAIRN_CRAWL_PAUSE_MS: '100',
      // No run is to blame for these kills, and on a busy machine three may come before a first step is kept.
      CAIRN_RESEARCH_RUN_STALLS_MAX: `${KILLS}`,
    },
  });
  site = createServer((request, response) => {
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
  const port = await listenOnLoopback(site, cairn.hostAddress);
  origin = `http://${cairn.hostAddress}:${port}`;
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
  data: unknown;
}

/** Follows a run as a client that comes back whenever it is cut off; returns every event that it was sent. */
async function follow(threadId: string, signal: AbortSignal): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
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
          if (data !== undefined) events.push(JSON.parse(data) as RunEvent);
        }
      }
    } catch {
      // Cut off by the kill; it comes back.
    }
    await sleep(100);
  }
  return events;
}

/** Longest that a run had an owner without a sign of life; the lease is as long as a heartbeat may be late. */
function watchLeases(database: pg.Client): { stop: () => Promise<number> } {
  let longest = 0;
  let stopped = false;
  const look = async () => {
    while (!stopped) {
      const { rows } = await database.query<{ late: number | null }>(
        `SELECT max(extract(epoch FROM now() - lease_until))::float8 * 1000 AS late
           FROM research.runs WHERE status = 'running'`,
      );
      longest = Math.max(longest, (rows[0]?.late ?? -LEASE_MS) + LEASE_MS);
      await sleep(100);
    }
    return longest;
  };
  const looking = look();
  return {
    stop() {
      stopped = true;
      return looking;
    },
  };
}

describe('research with two replicas of its service, one after the other killed with -9', () => {
  it(`completes every run over ${KILLS} kills; a watcher misses and repeats nothing; each is charged once`, async () => {
    const database = await databaseOf(cairn);
    database.on('error', () => undefined);
    const leases = watchLeases(database);
    const replicas: Replica[] = [await startReplica(cairn, 'research')];
    const giveUp = new AbortController();
    const query = `How did the freezer alarm outage go, how many people got an alarm and within how many minutes? ${origin}/p0`;
    const start = async (): Promise<string> =>
      (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/search/research/start', { query })).body.thread_id;
    const threads: string[] = [];
    const watching: Promise<RunEvent[]>[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      if (kill % (KILLS / RUNS) === 0) {
        const threadId = await eventually(start, (id) => typeof id === 'string', SETTLED_MS);
        threads.push(threadId);
        watching.push(follow(threadId, giveUp.signal));
      }
      await sleep(Math.random() * 900);
      if (kill % 2 === 0) {
        await replicas.shift()!.stop();
        // A new deployment each time: another name and version, which a run must not be bound to.
        const changes = { CAIRN_LOG_LEVEL: kill % 4 === 0 ? 'warn' : 'error', OTEL_SERVICE_VERSION: `v${kill}` };
        replicas.push(await startReplica(cairn, 'research', changes));
      } else {
        await cairn.kill('research');
      }
    }
    // Other tenants of the installation may have runs, too.
    const unfinished = async () =>
      (
        await database.query(
          `SELECT run_id FROM research.runs WHERE run_id = ANY($1) AND status NOT IN ('completed', 'failed')`,
          [threads],
        )
      ).rowCount;
    await eventually(unfinished, (left) => left === 0, SETTLED_MS);
    const longestMs = await leases.stop();
    const watched = await Promise.race([Promise.all(watching), sleep(SETTLED_MS).then(() => giveUp.abort())]);
    expect(watched).toHaveLength(RUNS);
    for (const [index, events] of watched!.entries()) {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, position) => position + 1));
      expect(events.filter(({ type }) => ENDED.test(type))).toMatchObject([{ type: 'run.completed' }]);
      expect(await doubledBy(database, threads[index]!)).toEqual([]);
      const skipped = events.filter(({ type }) => type === 'source.skipped').map(({ data }) => data);
      expect([await kindsReadBy(database, threads[index]!), skipped]).toEqual([['memory', 'web'], []]);
    }
    const ledger = async () =>
      (
        await database.query<{ run_id: string; charge: string; state: string }>(
          'SELECT run_id, charge, state FROM usage.charges WHERE tenant_id = $1 ORDER BY run_id',
          [cairn.tenantId],
        )
      ).rows;
    const settled = threads.toSorted().map((run_id) => ({ run_id, charge: 'research.run', state: 'settled' }));
    await eventually(ledger, (rows) => rows.filter(({ state }) => state === 'settled').length >= RUNS, SETTLED_MS);
    // Starts that a kill cut off may have reserved something; it went back, or goes back by itself.
    expect((await ledger()).filter(({ state }) => state === 'settled')).toEqual(settled);
    process.stdout.write(`longest time without a sign of life of a run's owner: ${Math.round(longestMs)} ms\n`);
    expect(longestMs).toBeLessThan(TAKEN_OVER_MS);
    await database.end();
    await Promise.all(replicas.map((replica) => replica.stop()));
  }, 600_000);
});

/** What a run keeps twice though its key says once. */
async function doubledBy(database: pg.Client, threadId: string): Promise<unknown[]> {
  const { rows } = await database.query(
    `SELECT origin FROM research.sources WHERE run_id = $1 GROUP BY origin HAVING count(*) > 1
      UNION ALL SELECT source_id || start_at FROM research.findings WHERE run_id = $1
                 GROUP BY source_id, start_at HAVING count(*) > 1
      UNION ALL SELECT type || data::text FROM research.run_events
                 WHERE run_id = $1 AND type IN ('source.fetched', 'finding.added', 'plan.ready', 'report.ready')
                 GROUP BY type, data HAVING count(*) > 1`,
    [threadId],
  );
  return rows;
}

async function kindsReadBy(database: pg.Client, threadId: string): Promise<string[]> {
  const { rows } = await database.query<{ kind: string }>(
    'SELECT DISTINCT kind FROM research.sources WHERE run_id = $1 ORDER BY kind',
    [threadId],
  );
  return rows.map(({ kind }) => kind);
}
