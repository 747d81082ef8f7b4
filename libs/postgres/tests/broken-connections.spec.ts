import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, createServer, type Socket } from 'node:net';
import { eventually, listenOnLoopback, type TestDatabase } from '@cairn/testing';
import { createConnections } from '../src/connections.ts';
import { createDatabase, type Tx } from '../src/index.ts';
import { addNote, ALICE, asSuperuser, backendOf, createNotesDatabase, noteIds, terminate } from './notes-schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createNotesDatabase();
});
afterAll(() => database.close());

/** A wire to the server that can be cut without anybody being told, as when a host vanishes. */
async function startWire(to: string): Promise<{ url: string; cut(): void; repair(): void; close(): Promise<void> }> {
  const url = new URL(to);
  const [host, port] = [url.hostname, Number(url.port)];
  const sockets = new Set<Socket>();
  let open = true;
  const pass = (from: Socket, into: Socket) => {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (bytes) => open && into.write(bytes));
    from.on('close', () => into.destroy());
  };
  const server = createServer((near) => {
    const far = connect(port, host);
    pass(near, far);
    pass(far, near);
  });
  url.hostname = '127.0.0.1';
  url.port = String(await listenOnLoopback(server));
  return {
    url: url.href,
    cut() {
      open = false;
    },
    repair() {
      open = true;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const connectionsOf = async (applicationName: string) => {
  const rows = await asSuperuser<{ pid: number }>(
    database,
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [applicationName],
  );
  return rows.map(({ pid }) => pid);
};

describe('a connection that is cut while a transaction holds it', () => {
  it('between two statements makes the transaction unavailable and keeps nothing', async () => {
    const cut = database.app.withTenant(ALICE, async (tx) => {
      await addNote(tx, ALICE, 'cut-1');
      await terminate(database, await backendOf(tx));
      await addNote(tx, ALICE, 'cut-2');
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    expect(await database.app.withTenant(ALICE, noteIds)).toEqual([]);
  });

  it('during a statement makes the transaction unavailable', async () => {
    let pid = 0;
    const cut = database.app.withTenant(ALICE, async (tx) => {
      pid = await backendOf(tx);
      await tx.query('SELECT pg_sleep(60)');
    });
    const outcome = cut.catch((error: unknown) => error);
    await eventually(async () => {
      const rows = await asSuperuser(
        database,
        "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'",
        [pid],
      );
      return rows.length > 0;
    });
    await terminate(database, pid);
    expect(await outcome).toMatchObject({ code: 'unavailable' });
  });

  it('before the commit makes the transaction unavailable', async () => {
    const cut = database.app.withTenant(ALICE, async (tx) => {
      await addNote(tx, ALICE, 'cut-3');
      await terminate(database, await backendOf(tx));
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('keeps the error of the work when that is what failed', async () => {
    const cut = database.app.withTenant(ALICE, async (tx) => {
      await terminate(database, await backendOf(tx));
      throw new TypeError('a mistake');
    });
    await expect(cut).rejects.toThrow(/a mistake|cannot be reached/);
  });

  it('is replaced: the next transaction works', async () => {
    const one = createDatabase({ url: database.url, applicationName: 'one', poolMax: 1 });
    const end = (tx: Tx) => backendOf(tx).then((pid) => terminate(database, pid));
    for (let n = 0; n < 3; n += 1) {
      await expect(one.transaction(end)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(one.ping()).resolves.toBeUndefined();
    }
    await one.close();
  });
});

describe('a connection that is cut while it is idle', () => {
  it('is told to the owner, replaced, and ends no process', async () => {
    const told: Error[] = [];
    const one = createDatabase({
      url: database.url,
      applicationName: 'idle',
      poolMax: 1,
      onIdleError: (error) => told.push(error),
    });
    await one.ping();
    for (const pid of await connectionsOf('idle')) await terminate(database, pid);
    await eventually(() => told.length === 1);
    await one.ping();
    await one.close();
  });
});

describe('a database that takes no connections', () => {
  it('is unavailable for a transaction and for a ping, without its own text', async () => {
    const gone = createDatabase({
      url: 'postgres://nobody:secret@127.0.0.1:1/nowhere',
      applicationName: 'gone',
      poolMax: 1,
    });
    const asked = gone.withTenant(ALICE, noteIds);
    await expect(asked).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The database cannot be reached right now.',
    });
    await expect(gone.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await gone.close();
  });

  it('and does not even say so holds no caller much longer than a statement may run, nor the connection', async () => {
    const wire = await startWire(database.url);
    const one = createDatabase({ url: wire.url, applicationName: 'silent', poolMax: 1, statementTimeoutMs: 100 });
    try {
      await one.ping();
      wire.cut();
      const started = performance.now();
      await expect(one.transaction(backendOf)).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - started).toBeLessThan(30_000);
      wire.repair();
      await expect(one.transaction(backendOf)).resolves.toBeGreaterThan(0);
    } finally {
      await one.close();
      await wire.close();
    }
  }, 60_000);

  it('because all connections are in use is not left for the next host', async () => {
    const url = new URL(database.url);
    const hosts = database.url.replace(url.host, `${url.host},127.0.0.1:1`);
    const two = createDatabase({ url: hosts, applicationName: 'hosts', poolMax: 1, acquireTimeoutMs: 500 });
    await two.transaction(async () => {
      await expect(two.transaction(noteIds)).rejects.toMatchObject({
        code: 'unavailable',
        internal: 'timeout exceeded when trying to connect',
      });
    });
    await two.close();
  });

  it('whose pool is used up answers unavailable in bounded time', async () => {
    const one = createDatabase({ url: database.url, applicationName: 'full', poolMax: 1, acquireTimeoutMs: 2_000 });
    await one.transaction(async () => {
      await expect(one.transaction(noteIds)).rejects.toMatchObject({ code: 'unavailable' });
    });
    await one.close();
  });
});

describe('a statement that fails', () => {
  it.each(['53100', '53200'])(
    'because the server has no room left (%s) makes the transaction unavailable',
    async (state) => {
      const failing = database.app.withTenant(ALICE, async (tx) => {
        await addNote(tx, ALICE, 'no-room');
        await tx.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`);
      });
      await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
      expect(await database.app.withTenant(ALICE, noteIds)).not.toContain('no-room');
    },
  );

  it('and is overlooked by the work does not pass for a commit', async () => {
    const overlooked = database.app.withTenant(ALICE, async (tx) => {
      await addNote(tx, ALICE, 'overlooked');
      await tx.query('SELECT 1 / 0').catch(() => undefined);
      return 'done';
    });
    await expect(overlooked).rejects.toThrow('nothing of it was kept');
    expect(await database.app.withTenant(ALICE, noteIds)).not.toContain('overlooked');
  });

  it('leaves its connection usable', async () => {
    const one = createDatabase({ url: database.url, applicationName: 'reuse', poolMax: 1 });
    const before = await one.transaction(backendOf);
    await expect(one.transaction((tx) => tx.query('SELECT nonsense'))).rejects.toMatchObject({ code: '42703' });
    expect(await one.transaction(backendOf)).toBe(before);
    await one.close();
  });

  it('that runs longer than it may is ended', async () => {
    const hasty = createDatabase({ url: database.url, applicationName: 'hasty', poolMax: 1, statementTimeoutMs: 50 });
    await expect(hasty.transaction((tx) => tx.query('SELECT pg_sleep(30)'))).rejects.toMatchObject({ code: '57014' });
    await hasty.close();
  });
});

describe('a snapshot', () => {
  it('sees one moment, whatever others commit meanwhile, and takes no writes', async () => {
    await database.app
      .withTenant(
        ALICE,
        async (tx) => {
          const before = await noteIds(tx);
          await database.app.withTenant(ALICE, (other) => addNote(other, ALICE, 'meanwhile'));
          expect(await noteIds(tx)).toEqual(before);
          await expect(addNote(tx, ALICE, 'written')).rejects.toMatchObject({ code: '25006' });
          throw new Error('seen');
        },
        { mode: 'snapshot' },
      )
      .catch((error: Error) => expect(error.message).toBe('seen'));
    expect(await database.app.withTenant(ALICE, noteIds)).toContain('meanwhile');
  });

  it('does not see a commit between its first statement and its second, where a plain transaction does', async () => {
    const seen = await database.app.withTenant(ALICE, async (tx) => {
      await noteIds(tx);
      await database.app.withTenant(ALICE, (other) => addNote(other, ALICE, 'between'));
      return noteIds(tx);
    });
    expect(seen).toContain('between');
  });
});

describe('a connection that is in use without a transaction, as for a ping', () => {
  it('may lose its server, and the process goes on', async () => {
    const connections = createConnections({ name: 'spec', url: database.url, onIdleError: () => undefined });
    const client = await connections.acquire();
    const asked = client.query('SELECT pg_sleep(60)').catch((error: Error) => error);
    // What the driver does when the connection ends in the middle; an emitter without a listener would throw.
    const ended = new Promise((resolve) => client.once('end', resolve));
    const [backend] = await eventually(
      () =>
        asSuperuser<{ pid: number }>(
          database,
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
        ),
      (found) => found.length === 1,
    );
    await terminate(database, backend!.pid);
    expect(await asked).toBeInstanceOf(Error);
    await ended;
    expect(() => client.emit('error', new Error('Connection terminated unexpectedly'))).not.toThrow();
    client.release(true);
    await connections.close();
  });
});
