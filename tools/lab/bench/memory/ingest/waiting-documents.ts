import type { RunningCairn } from '@cairn/testing';
import pg from 'pg';
import { memoryProcess, variableOf } from './memory-process.ts';

/** How many documents of all tenants wait or are worked on. */
export async function waitingDocuments(cairn: RunningCairn): Promise<number> {
  const pid = await memoryProcess(cairn);
  const worker = new pg.Client({ connectionString: await variableOf(pid!, 'DATABASE_WORKER_URL') });
  await worker.connect();
  try {
    const { rows } = await worker.query<{ waiting: number }>('SELECT count(*)::int AS waiting FROM ingest_queue');
    return rows[0]!.waiting;
  } finally {
    await worker.end();
  }
}
