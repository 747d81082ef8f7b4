import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@cairn/postgres';

const POLL_MS = 500;

/** Waits until no chunk waits for its vector: documents can be found, and so count as ready, before they have one. */
export async function untilEmbedded(database: Database): Promise<void> {
  for (;;) {
    const [row] = await database.transaction((tx) =>
      tx.query<{ waiting: boolean }>('SELECT EXISTS (SELECT 1 FROM memory.embedding_queue) AS waiting'),
    );
    if (row?.waiting !== true) return;
    await sleep(POLL_MS);
  }
}
