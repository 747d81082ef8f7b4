import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type TestDatabase } from '@cairn/testing';
import { createRun, findRun, readEvents } from '../../src/ledger/run-store.ts';
import { ledgerDatabase, SCHEMA } from './schema.ts';

const WORKER = join(import.meta.dirname, 'worker-process.ts');
const TENANT = 'tnt_1';
const KILLS = 8;
const SETTLED_MS = 60_000;

let database: TestDatabase;
let folder: string;
let doneFile: string;
const replicas = new Set<ChildProcess>();

beforeAll(async () => {
  database = await ledgerDatabase();
  folder = await mkdtemp(join(tmpdir(), 'cairn-ledger-'));
  doneFile = join(folder, 'done');
  await writeFile(doneFile, '');
});
afterAll(async () => {
  await Promise.all([...replicas].map(kill));
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

interface Replica {
  version: string;
  process: ChildProcess;
}

async function startReplica(version: string): Promise<Replica> {
  const child = fork(WORKER, [database.workerUrl, SCHEMA, doneFile, version], { execArgv: [], stdio: 'inherit' });
  replicas.add(child);
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', () => reject(new Error('the replica ended at its start')));
  });
  return { version, process: child };
}

async function kill(child: ChildProcess): Promise<void> {
  replicas.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** The steps that a replica has worked on, in order, whether or not their results were stored. */
async function stepsDone(): Promise<{ runId: string; version: string }[]> {
  const lines = (await readFile(doneFile, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [runId, , version] = line.split(' ') as [string, string, string];
    return { runId, version };
  });
}

const runIds = Array.from({ length: KILLS }, (_, index) => `run_${index}`);
const statuses = () =>
  database.worker.withTenant(TENANT, async (tx) =>
    Promise.all(runIds.map(async (runId) => (await findRun(tx, runId))?.status)),
  );

describe('runs whose processes are killed with -9 again and again', () => {
  it('complete with every step exactly once in a log without gaps, whichever version takes them over', async () => {
    const pair = [await startReplica('v0'), await startReplica('v1')];
    for (const [kills, runId] of runIds.entries()) {
      await database.app.withTenant(TENANT, (tx) =>
        createRun(tx, { tenantId: TENANT, runId, kind: 'lanes', input: {} }),
      );
      // The one that works on the newest run is killed, soon enough for some of its steps to be left.
      const victim = await eventually(async () => {
        const version = (await stepsDone()).find((step) => step.runId === runId)?.version;
        return pair.find((replica) => replica.version === version);
      });
      await sleep(Math.random() * 500);
      await kill(victim!.process);
      pair.splice(pair.indexOf(victim!), 1, await startReplica(`v${kills + 2}`));
    }
    await eventually(statuses, (all) => all.every((status) => status === 'completed'), SETTLED_MS);

    for (const runId of runIds) {
      const { run, events } = await database.app.withTenant(TENANT, async (tx) => ({
        run: await findRun(tx, runId),
        events: await readEvents(tx, runId, 0, 1_000),
      }));
      expect(run?.result).toBe('a/1,a/2,a/3,a/4;b/1,b/2,b/3,b/4;c/1,c/2,c/3,c/4');
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const steps = events.filter(({ type }) => type === 'step.done').map(({ data }) => data['key']);
      const lanes = ['a', 'b', 'c'].flatMap((lane) => [1, 2, 3, 4].map((number) => `${lane}/${number}`));
      expect(steps.toSorted()).toEqual(lanes);
      expect(events.filter(({ type }) => type === 'run.started')).toHaveLength(1);
      expect(events.at(-1)?.type).toBe('run.completed');
      expect(events.filter(({ type }) => type === 'run.completed')).toHaveLength(1);
    }
    // Proof that there was something to survive: one replica started work that another finished.
    const versions = new Map<string, Set<string>>();
    for (const { runId, version } of await stepsDone()) {
      versions.set(runId, (versions.get(runId) ?? new Set()).add(version));
    }
    expect([...versions.values()].some((seen) => seen.size > 1)).toBe(true);
  }, 120_000);
});
