import { type Tx, sqlBuilder } from '@cairn/postgres';
import { isServedByEngine } from '../memories/moving-memories.ts';

export interface ThreadRow {
  tenant_id: string;
  memory_id: string;
  thread_id: string;
  workspace_id: string;
  vault_id: string;
  space_id: string | null;
  title: string;
  user_name: string | null;
  turn_count: number;
  created_at: Date;
  updated_at: Date;
}

export interface TurnRow {
  turn_id: string;
  thread_id: string;
  ordinal: number;
  role: 'user' | 'assistant';
  content: string;
  created_at: Date;
}

/** What a caller's key is bound to, or asks for: null is no restriction. */
interface ThreadView {
  memoryId: string | null;
  spaceId: string | null;
}

export async function insertThread(
  tx: Tx,
  row: Omit<ThreadRow, 'turn_count' | 'created_at' | 'updated_at'>,
): Promise<ThreadRow> {
  const rows = await tx.query<ThreadRow>(
    `INSERT INTO threads (tenant_id, memory_id, thread_id, workspace_id, vault_id, space_id, title, user_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`,
    [
      row.tenant_id,
      row.memory_id,
      row.thread_id,
      row.workspace_id,
      row.vault_id,
      row.space_id,
      row.title,
      row.user_name,
    ],
  );
  return rows[0]!;
}

/** Threads in the order of their making. */
export async function listThreadRows(
  tx: Tx,
  filter: ThreadView & { after: string; fetch: number | null },
): Promise<ThreadRow[]> {
  const closed = sqlBuilder('closed_scopes')
    .select(sqlBuilder.raw('1'))
    .whereRaw('closed_scopes.tenant_id = threads.tenant_id AND closed_scopes.memory_id = threads.memory_id')
    .whereRaw("closed_scopes.vault_id IN ('', threads.vault_id)");
  const query = sqlBuilder('threads')
    .whereRaw('tenant_id = current_tenant()')
    .andWhere('thread_id', '>', filter.after)
    .whereNotExists(closed)
    .whereRaw(isServedByEngine('threads'))
    .orderBy('thread_id');
  if (filter.memoryId !== null) void query.andWhere({ memory_id: filter.memoryId });
  if (filter.spaceId !== null) void query.andWhere({ space_id: filter.spaceId });
  if (filter.fetch !== null) void query.limit(filter.fetch);
  return tx.run<ThreadRow>(query);
}

export async function findThread(tx: Tx, threadId: string): Promise<ThreadRow | null> {
  const rows = await tx.query<ThreadRow>({
    name: 'thread_by_id',
    text: 'SELECT * FROM threads WHERE tenant_id = current_tenant() AND thread_id = $1',
    values: [threadId],
  });
  return rows[0] ?? null;
}

export async function renameThread(tx: Tx, threadId: string, title: string): Promise<ThreadRow | null> {
  const rows = await tx.query<ThreadRow>(
    `UPDATE threads SET title = $2, updated_at = now()
      WHERE tenant_id = current_tenant() AND thread_id = $1 RETURNING *`,
    [threadId, title],
  );
  return rows[0] ?? null;
}

/** Takes a thread with its turns away; false when it was gone. */
export async function deleteThreadRows(tx: Tx, threadId: string): Promise<boolean> {
  // The thread's row first held, so that no turn comes in between.
  const held = await tx.query(
    'SELECT 1 FROM threads WHERE tenant_id = current_tenant() AND thread_id = $1 FOR UPDATE',
    [threadId],
  );
  if (held.length === 0) return false;
  await tx.execute('DELETE FROM turns WHERE tenant_id = current_tenant() AND thread_id = $1', [threadId]);
  await tx.execute('DELETE FROM threads WHERE tenant_id = current_tenant() AND thread_id = $1', [threadId]);
  return true;
}

/** Adds turns and counts them in one step, so that the count is exact; null when the thread is gone. */
export async function appendTurns(
  tx: Tx,
  threadId: string,
  turns: readonly Pick<TurnRow, 'turn_id' | 'role' | 'content'>[],
): Promise<TurnRow[] | null> {
  const counted = await tx.query<ThreadRow>(
    `UPDATE threads SET turn_count = turn_count + $2, updated_at = now()
      WHERE tenant_id = current_tenant() AND thread_id = $1 RETURNING *`,
    [threadId, turns.length],
  );
  const thread = counted[0];
  if (thread === undefined) return null;
  return tx.query<TurnRow>(
    `INSERT INTO turns (tenant_id, memory_id, vault_id, thread_id, ordinal, turn_id, role, content)
     SELECT $1, $2, $3, $4, $5 + place, turn_id, role, content
       FROM unnest($6::text[], $7::text[], $8::text[]) WITH ORDINALITY AS added (turn_id, role, content, place)
     RETURNING *`,
    [
      thread.tenant_id,
      thread.memory_id,
      thread.vault_id,
      threadId,
      thread.turn_count - turns.length,
      turns.map((turn) => turn.turn_id),
      turns.map((turn) => turn.role),
      turns.map((turn) => turn.content),
    ],
  );
}

/** Turns after the ordinal, oldest first. */
export async function listTurnRows(
  tx: Tx,
  threadId: string,
  page: { after: number; fetch: number | null },
): Promise<TurnRow[]> {
  return tx.query<TurnRow>(
    `SELECT * FROM turns WHERE tenant_id = current_tenant() AND thread_id = $1 AND ordinal > $2
      ORDER BY ordinal LIMIT $3`,
    [threadId, page.after, page.fetch],
  );
}

/** The last turns of a thread, oldest first. */
export async function lastTurnRows(tx: Tx, threadId: string, count: number): Promise<TurnRow[]> {
  const rows = await tx.query<TurnRow>({
    name: 'turns_last',
    text: `SELECT * FROM turns WHERE tenant_id = current_tenant() AND thread_id = $1 ORDER BY ordinal DESC LIMIT $2`,
    values: [threadId, count],
  });
  return rows.toReversed();
}
