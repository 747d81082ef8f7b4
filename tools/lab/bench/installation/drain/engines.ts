import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres, stopPostgres } from '@cairn/embedded';
import { type RunningCairn, temporaryFolder } from '@cairn/testing';
import pg from 'pg';
import { operator } from '../../../../../e2e/tests/operator.ts';

interface Held {
  memories: number;
  bytes: number;
}

/** The engines of an installation, looked into as the superuser. */
export interface Engines {
  idOf(name: string): string;
  /** The engine of each memory, as tenancy has registered it. */
  registered(): Promise<Map<string, string>>;
  /** What each holds of the memories that are registered there, by its name. */
  held(): Promise<Map<string, Held>>;
  /** How many of the documents are not on the engine of their memory. */
  missing(docIds: readonly string[]): Promise<number>;
  /** How many memories have rows on an engine that is not theirs. */
  notOnTheirEngine(): Promise<number>;
  close(): Promise<void>;
}

/** Adds PostgreSQL servers to the installation's own, each a process and a folder of its own. */
export async function startEngines(cairn: RunningCairn, names: readonly string[]): Promise<Engines> {
  const folder = await temporaryFolder('cairn-engines-');
  const urls = new Map([['default', await cairn.databaseUrl()]]);
  const ids = new Map([['default', 'default']]);
  for (const name of names) {
    const { superuserUrl } = await startPostgres({ dataDir: join(folder, name) });
    urls.set(name, superuserUrl.replace(/\/postgres$/, '/cairn'));
    const added = await operator<{ engine_id: string }>(
      cairn,
      ...['engine', 'add', '--name', name, '--admin-url', superuserUrl],
    );
    ids.set(name, added.engine_id);
  }
  const registered = async () => {
    const rows = await ask<{ memory_id: string; engine_id: string }>(
      urls.get('default')!,
      'SELECT memory_id, engine_id FROM tenancy.memories',
    );
    return new Map(rows.map((row) => [row.memory_id, row.engine_id]));
  };
  const onEach = async <Row extends object>(sql: string, bound: unknown[] = []) =>
    Promise.all([...urls].map(async ([name, url]) => [name, await ask<Row>(url, sql, bound)] as const));
  const sizes = () =>
    onEach<{ memory_id: string; bytes: string }>(
      'SELECT memory_id, sum(content_bytes) AS bytes FROM memory.documents GROUP BY memory_id',
    );
  return {
    idOf: (name) => ids.get(name)!,
    registered,
    async held() {
      const engineOf = await registered();
      const found = (await sizes()).map(([name, rows]) => {
        const own = rows.filter((row) => engineOf.get(row.memory_id) === ids.get(name));
        return [name, { memories: own.length, bytes: own.reduce((sum, row) => sum + Number(row.bytes), 0) }] as const;
      });
      return new Map(found);
    },
    async missing(docIds) {
      const engineOf = await registered();
      const found = await onEach<{ doc_id: string; memory_id: string }>(
        'SELECT doc_id, memory_id FROM memory.documents WHERE doc_id = ANY($1)',
        [docIds],
      );
      const there = found.flatMap(([name, rows]) =>
        rows.filter((row) => engineOf.get(row.memory_id) === ids.get(name)).map((row) => row.doc_id),
      );
      return docIds.length - new Set(there).size;
    },
    async notOnTheirEngine() {
      const engineOf = await registered();
      const strangers = (await sizes()).flatMap(([name, rows]) =>
        rows.filter((row) => engineOf.get(row.memory_id) !== ids.get(name)),
      );
      return strangers.length;
    },
    async close() {
      for (const name of names) await stopPostgres({ dataDir: join(folder, name), mode: 'immediate' });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask<Row extends object>(url: string, sql: string, bound: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, bound)).rows;
  } finally {
    await client.end();
  }
}
