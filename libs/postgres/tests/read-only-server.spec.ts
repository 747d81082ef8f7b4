import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { eventually, type TestDatabase } from '@cairn/testing';
import { appendToOutbox, createDatabase, type Database, startOutboxRelay } from '../src/index.ts';
import { addNote, ALICE, asSuperuser, backendOf, createNotesDatabase, noteIds } from './notes-schema.ts';

let database: TestDatabase;
let relaying: Database | null = null;

beforeAll(async () => {
  database = await createNotesDatabase();
});
afterAll(async () => {
  await setReadOnly(false);
  await relaying?.close();
  await database.close();
});

/** What a failover does: the database takes no writes, also not over connections that are made now. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const value = isReadOnly ? 'on' : 'off';
  await asSuperuser(
    database,
    `BEGIN; SET LOCAL transaction_read_only = off; ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}; COMMIT`,
  );
}

const opened = (poolMax: number, url = database.url) => createDatabase({ url, applicationName: 'failover', poolMax });

/** Makes the server of these connections a standby: as after a demotion, only what was connected before knows it. */
const demote = (one: Database) =>
  one.transaction((tx) => tx.query("SELECT set_config('default_transaction_read_only', 'on', false)"));

describe('a server that became read-only', () => {
  it('makes a write unavailable, with a time to try again, and its connection is closed', async () => {
    const one = opened(1);
    const before = await one.transaction(backendOf);
    await demote(one);
    const refused = one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'refused'));
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(await one.transaction(backendOf)).not.toBe(before);
    await one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'written-1'));
    await one.close();
  });

  it('costs one refusal: the other connections of the pool are not handed out again either', async () => {
    const one = opened(4);
    await Promise.all([1, 2, 3, 4].map(() => one.transaction((tx) => tx.query('SELECT pg_sleep(0.05)'))));
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        one.transaction((tx) =>
          tx.query("SELECT set_config('default_transaction_read_only', 'on', false), pg_sleep(0.05)"),
        ),
      ),
    );
    await expect(one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'refused'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    await Promise.all([5, 6, 7, 8].map((n) => one.withTenant(ALICE, (tx) => addNote(tx, ALICE, `written-${n}`))));
    await one.close();
  });

  it('still answers reads in a snapshot, and a write in one stays the mistake that it is', async () => {
    const one = opened(1);
    await demote(one);
    const before = await one.transaction(backendOf, { mode: 'snapshot' });
    await expect(
      one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'never'), { mode: 'snapshot' }),
    ).rejects.toMatchObject({ code: '25006' });
    expect(await one.transaction(backendOf, { mode: 'snapshot' })).toBe(before);
    await one.close();
  });

  it('stops no background work: the outbox is published once it takes writes again', async () => {
    const published: string[] = [];
    const errors: unknown[] = [];
    await database.app.withTenant(ALICE, (tx) =>
      appendToOutbox(tx, { tenantId: ALICE, eventId: 'evt_1', subject: 'e.one', payload: Buffer.from('x') }),
    );
    await setReadOnly(true);
    relaying = opened(2, database.workerUrl);
    const relay = await startOutboxRelay({
      database: relaying,
      schema: 'notes',
      publish: async ({ subject }) => void published.push(subject),
      onError: (error) => errors.push(error),
    });
    await eventually(() => errors.length >= 2);
    expect(errors[0]).toMatchObject({ code: 'unavailable' });
    await setReadOnly(false);
    await eventually(() => published.includes('e.one'));
    await relay.close();
  });
});

describe('a database URL with several hosts', () => {
  const withHosts = (hosts: string, parameters = '') => {
    const url = new URL(database.url);
    return `postgres://${url.username}:${url.password}@${hosts}${url.pathname}${parameters}`;
  };

  it('uses the first host that answers', async () => {
    const { host } = new URL(database.url);
    const one = opened(2, withHosts(`127.0.0.1:1,${host}`, '?target_session_attrs=read-write'));
    await one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'second-host'));
    expect(await one.withTenant(ALICE, noteIds)).toContain('second-host');
    await one.close();
  });

  it('refuses a host that takes no writes, and finds it once it does', async () => {
    const { host } = new URL(database.url);
    await setReadOnly(true);
    const one = opened(2, withHosts(`${host},127.0.0.1:1`));
    await expect(one.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await setReadOnly(false);
    await eventually(() =>
      one.ping().then(
        () => true,
        () => false,
      ),
    );
    await one.close();
  });

  it('listens at the host that takes writes', async () => {
    const { host } = new URL(database.url);
    const one = opened(1, withHosts(`127.0.0.1:1,${host}`));
    const heard: string[] = [];
    const listener = await one.listen('hosts_spec', (payload) => heard.push(payload));
    await eventually(async () => {
      await one.transaction((tx) => tx.query("SELECT pg_notify('hosts_spec', 'heard')"));
      return heard.includes('heard');
    });
    await listener.close();
    await one.close();
  });

  it('is refused with a message that says how it is written', () => {
    expect(() => opened(1, 'mysql://h1,h2/cairn')).toThrow('with several hosts separated by commas');
    expect(() => opened(1, 'postgres://h1:70000,h2/cairn')).toThrow('with several hosts separated by commas');
    expect(() => opened(1, 'postgres://h1,h2/cairn?target_session_attrs=standby')).toThrow('read-write or primary');
  });
});

describe('a host that accepts connections and never answers', () => {
  let silent: Server;
  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    silent.close();
  });

  it('is left for the next one after the time to connect', async () => {
    const { port } = silent.address() as { port: number };
    const url = new URL(database.url);
    const one = createDatabase({
      url: `postgres://${url.username}:${url.password}@127.0.0.1:${port},${url.host}${url.pathname}`,
      applicationName: 'silent',
      poolMax: 1,
      acquireTimeoutMs: 300,
    });
    await one.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'after-silence'));
    await one.close();
  });
});
