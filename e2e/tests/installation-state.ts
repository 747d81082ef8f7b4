import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectEventBus, DEAD_LETTER_STREAM, EVENT_STREAM } from '@cairn/events';
import { eventually, type RunningCairn } from '@cairn/testing';
import pg from 'pg';

/** The PostgreSQL server of an installation, asked past every policy. */
export async function databaseOf(cairn: Pick<RunningCairn, 'databaseUrl'>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await cairn.databaseUrl() });
  await client.connect();
  return client;
}

/** Waits until so many gateways run and each has its part of the reserved shares; that takes some renewals of leases. */
export async function gatewaysShare(database: pg.Client, gateways: number): Promise<void> {
  await eventually(
    async () =>
      (await database.query<{ sharing: number }>('SELECT sharing FROM keys.gateway_leases WHERE expires_at > now()'))
        .rows,
    (rows) => rows.length === gateways && rows.every(({ sharing }) => sharing === gateways),
    60_000,
  );
}

/** Tables of every service that hold the text in a row, bytes included. */
export async function tablesWith(database: pg.Client, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await database.query<{ hits: string }>(
      `SELECT count(*) AS hits FROM ${name} AS t WHERE position($1 in t::text) > 0 OR position($2 in t::text) > 0`,
      [text, hex],
    );
    if (Number(rows[0]!.hits) > 0) found.push(name);
  }
  return found;
}

/** Subjects of the messages in the streams that hold the text. */
export async function messagesWith(cairn: Pick<RunningCairn, 'eventsUrl'>, text: string): Promise<string[]> {
  const bus = await connectEventBus({ natsUrl: await cairn.eventsUrl(), name: 'spec' });
  try {
    const found: string[] = [];
    for (const stream of [EVENT_STREAM, DEAD_LETTER_STREAM]) {
      const { state } = await bus.manager.streams.info(stream);
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        const message = await bus.manager.streams.getMessage(stream, { seq }).catch(() => null);
        if (message !== null && Buffer.from(message.data).includes(text)) found.push(message.subject);
      }
    }
    return found;
  } finally {
    await bus.close();
  }
}

/** Files below the folder that hold the text, apart from those that `skip` names. */
export async function filesWith(folder: string, text: string, skip: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || skip.test(path)) continue;
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(path);
  }
  return found;
}
