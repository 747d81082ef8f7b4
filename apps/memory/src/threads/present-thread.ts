import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { ThreadRow, TurnRow } from './thread-store.ts';

/** A thread as the API shows it. */
export function presentThread(row: ThreadRow): ResponseOf<typeof operations.getThread> {
  return {
    thread_id: row.thread_id,
    title: row.title,
    memory_id: row.memory_id,
    space_id: row.space_id,
    vault_id: row.vault_id,
    user: row.user_name,
    turn_count: row.turn_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A turn as the API shows it. */
export function presentTurn(row: TurnRow): ResponseOf<typeof operations.addTurn> {
  return {
    turn_id: row.turn_id,
    thread_id: row.thread_id,
    role: row.role,
    content: row.content,
    created_at: row.created_at.toISOString(),
  };
}
