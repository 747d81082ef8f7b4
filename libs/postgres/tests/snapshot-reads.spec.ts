import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { notFound } from '@cairn/errors';
import pg from 'pg';
import {
  eventually,
  type ReplicatedPostgres,
  seededRandom,
  startReplicatedPostgres,
  type TestDatabase,
} from '@cairn/testing';
import { createDatabase, createSnapshotReads, type Database, type SnapshotReads, type Tx } from '../src/index.ts';
import { createWalPositions } from '../src/wal-position.ts';
import { ALICE, addNote, asRole, BOB, createNotesDatabase, noteIds } from './notes-schema.ts';

jest.setTimeout(120_000);

let servers: ReplicatedPostgres;
let database: TestDatabase;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  servers = await startReplicatedPostgres(2);
  database = await createNotesDatabase(servers.superuserUrl);
  await servers.caughtUp();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await database.close();
  await servers.remove();
});

interface Process {
  primary: Database;
  reads: SnapshotReads;
}

/** What one process of a service has: its own pools, and no word from other processes. */
function openProcess(replicas = servers.replicas): Process {
  const primary = createDatabase({ url: database.url, applicationName: 'reads', poolMax: 5 });
  const reads = createSnapshotReads({
    primary,
    primaryUrl: database.url,
    replicaUrls: replicas.map((replica) => replica.urlOf(database.url)),
    applicationName: 'reads',
    poolMax: 5,
    onIdleError: () => undefined,
  });
  opened.push(reads, primary);
  return { primary, reads };
}

const isReplica = async (tx: Tx) =>
  (await tx.query<{ replica: boolean }>('SELECT pg_is_in_recovery() AS replica'))[0]!.replica;
const whereRead = async ({ reads }: Process) =>
  (await reads.withTenant(ALICE, isReplica)) ? ('replica' as const) : ('primary' as const);
/** Waits until a read is served by the given server: one that rests is tried again after a moment. */
const served = (from: Process, by: 'replica' | 'primary') =>
  eventually(
    () => whereRead(from),
    (where) => where === by,
  );

it('reads from replicas, under the row-level security of the tenant, and no writes there', async () => {
  const { primary, reads } = openProcess();
  await primary.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'own'));
  await primary.withTenant(BOB, (tx) => addNote(tx, BOB, 'other'));
  const seen = await eventually(
    () => reads.withTenant(ALICE, async (tx) => ({ replica: await isReplica(tx), ids: await noteIds(tx) })),
    ({ replica }) => replica,
  );
  expect(seen.ids).toEqual(['own']);
  await expect(reads.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'never'))).rejects.toMatchObject({ code: '25006' });
});

it('finds nothing older than what anybody was told, with three processes and replicas that fall behind', async () => {
  const processes = [openProcess(), openProcess(), openProcess()];
  const random = seededRandom(20_281);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  /** Of each note what was acknowledged last; undefined: deleted, or never there. */
  const told = new Map<string, number>();
  const where = { replica: 0, primary: 0 };
  let isWorking = true;

  const writeNote = async (note: string, version: number) => {
    const { primary } = pick(processes);
    await primary.withTenant(ALICE, (tx) =>
      tx.execute(
        `INSERT INTO notes (tenant_id, note_id, body) VALUES ($1, $2, $3)
         ON CONFLICT (note_id) DO UPDATE SET body = excluded.body`,
        [ALICE, note, String(version)],
      ),
    );
  };
  const eraseNote = async (note: string) => {
    await pick(processes).primary.withTenant(ALICE, (tx) => tx.execute('DELETE FROM notes WHERE note_id = $1', [note]));
  };
  const readNote = (note: string) =>
    pick(processes).reads.withTenant(ALICE, async (tx) => {
      const [row] = await tx.query<{ body: string }>('SELECT body FROM notes WHERE note_id = $1', [note]);
      where[(await isReplica(tx)) ? 'replica' : 'primary'] += 1;
      return row === undefined ? null : Number(row.body);
    });
  /** Each caller has a note of its own, writes or deletes it through one process and reads it through another. */
  const caller = async (note: string) => {
    for (let version = 1; version <= 80; version += 1) {
      if (random() < 0.25) {
        await eraseNote(note);
        expect(await readNote(note)).toBeNull();
      } else {
        await writeNote(note, version);
        told.set(note, version);
        expect(await readNote(note)).toBe(version);
      }
    }
  };
  /** Reads others' notes, whose versions only grow: never one from before what was told when the read began. */
  const onlooker = async () => {
    while (isWorking) {
      const note = `note-${Math.floor(random() * 4)}`;
      const before = told.get(note) ?? 0;
      const seen = await readNote(note);
      if (seen !== null) expect(seen).toBeGreaterThanOrEqual(before);
      await sleep(1);
    }
  };
  const trouble = async () => {
    while (isWorking) {
      const replica = pick(servers.replicas);
      await replica.pause();
      await sleep(10 + random() * 100);
      await replica.resume();
      await sleep(random() * 100);
    }
  };
  const beside = [onlooker(), onlooker(), trouble()];
  try {
    await Promise.all(['note-0', 'note-1', 'note-2', 'note-3'].map(caller));
  } finally {
    isWorking = false;
  }
  await Promise.all(beside);
  // Otherwise nothing was shown: both ways were taken.
  expect(where.replica).toBeGreaterThan(20);
  expect(where.primary).toBeGreaterThan(20);
});

it('does not show a deleted row, however far behind every replica is', async () => {
  const writer = openProcess();
  const reader = openProcess();
  await writer.primary.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'erased'));
  await served(reader, 'replica');
  await Promise.all(servers.replicas.map((replica) => replica.pause()));
  await writer.primary.withTenant(ALICE, (tx) => tx.execute("DELETE FROM notes WHERE note_id = 'erased'"));
  for (let n = 0; n < 10; n += 1) expect(await reader.reads.withTenant(ALICE, noteIds)).not.toContain('erased');
  await Promise.all(servers.replicas.map((replica) => replica.resume()));
  await served(reader, 'replica');
  expect(await reader.reads.withTenant(ALICE, noteIds)).not.toContain('erased');
});

it('reads the primary without an error while a replica is down, also when it dies during the read', async () => {
  const [replica] = servers.replicas;
  const reader = openProcess([replica!]);
  await served(reader, 'replica');
  let runs = 0;
  const seen = await reader.reads.withTenant(ALICE, async (tx) => {
    runs += 1;
    if (await isReplica(tx)) await replica!.kill9();
    return isReplica(tx);
  });
  expect([seen, runs]).toEqual([false, 2]);
  for (let n = 0; n < 20; n += 1) expect(await whereRead(reader)).toBe('primary');
  await replica!.restart();
  await served(reader, 'replica');
});

it('passes on what the work throws about what it found, without running it a second time', async () => {
  const reader = openProcess();
  await served(reader, 'replica');
  let runs = 0;
  const asked = reader.reads.withTenant(ALICE, async () => {
    runs += 1;
    throw notFound('The note');
  });
  await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  expect(runs).toBe(1);
});

it('asks the primary once for all reads that begin together, and again for one that begins after that was sent', async () => {
  const positions = createWalPositions({ url: database.url, applicationName: 'asked', onIdleError: () => undefined });
  opened.push(positions);
  const locking = new pg.Client({ connectionString: database.superuserUrl });
  await locking.connect();
  await locking.query('BEGIN; LOCK TABLE notes.wal_origin IN ACCESS EXCLUSIVE MODE');
  const first = Array.from({ length: 10 }, () => positions.current());
  expect(new Set(first).size).toBe(1);
  await eventually(async () => {
    const waiting = "SELECT FROM pg_stat_activity WHERE application_name = 'asked' AND wait_event_type = 'Lock'";
    return (await asRole(database.superuserUrl, waiting)).length === 1;
  });
  const second = Array.from({ length: 10 }, () => positions.current());
  expect(new Set([...first, ...second]).size).toBe(2);
  await locking.end();
  await Promise.all([...first, ...second]);
});

it('takes no replica that stayed behind on an old history when another server became the primary', async () => {
  const [promoted, left] = servers.replicas;
  const url = promoted!.urlOf(database.url);
  // As far as the log goes it has replayed more than the new primary will write for a while.
  await servers.caughtUp();
  await promoted!.promote();
  const primary = createDatabase({ url, applicationName: 'promoted', poolMax: 3 });
  const reads = createSnapshotReads({
    primary,
    primaryUrl: url,
    replicaUrls: [left!.urlOf(database.url)],
    applicationName: 'promoted',
    poolMax: 3,
    onIdleError: () => undefined,
  });
  opened.push(reads, primary);
  // The old primary goes on writing for those who have not noticed, and the replica that it has follows it.
  await database.app.withTenant(ALICE, (tx) =>
    tx.execute("INSERT INTO notes SELECT $1, 'lost-' || n, repeat('x', 200) FROM generate_series(1, 5000) AS n", [
      ALICE,
    ]),
  );
  await eventually(async () => {
    const rows = await asRole<{ n: number }>(
      left!.urlOf(database.superuserUrl),
      "SELECT count(*)::int AS n FROM notes.notes WHERE note_id LIKE 'lost-%'",
    );
    return rows[0]!.n === 5000;
  });
  await primary.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'kept'));
  for (let n = 0; n < 5; n += 1) {
    const ids = await reads.withTenant(ALICE, noteIds);
    expect(ids).toContain('kept');
    expect(ids.filter((id) => id.startsWith('lost-'))).toEqual([]);
    await sleep(250);
  }
});
