import { CairnError } from '@cairn/errors';
import { sqlState } from '@cairn/postgres';

/** Stands among the closed vaults of a memory that is moving: what is refused of it on this engine. */
export const MOVING = { writes: '~moving', everything: '~elsewhere' } as const;

/**
 * The memory is being handed over to another engine, or was: whoever finds it there goes on. Thrown before anything was
 * read or written.
 */
export class MemoryMovingError extends CairnError {
  constructor() {
    super('unavailable', 'The memory is being moved to another server. Try again.', { retryAfterSeconds: 1 });
  }
}

/** True when the database refused a write to a memory that is being handed over to another engine. */
export function wasRefusedAsMoving(error: unknown): boolean {
  return sqlState(error) === 'CM001';
}

/** SQL that is true where the row of `alias` belongs to a memory that background work may work on, on this engine. */
export function isSettled(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM memory_moves AS moving WHERE moving.tenant_id = ${alias}.tenant_id
             AND moving.memory_id = ${alias}.memory_id AND moving.phase IN ('closing', 'gated', 'left', 'arriving'))`;
}

/** SQL that is true where the row of `alias` belongs to a memory that this engine serves. */
export function isServedByEngine(alias: string): string {
  return `NOT EXISTS (SELECT 1 FROM memory_moves AS moving WHERE moving.tenant_id = ${alias}.tenant_id
             AND moving.memory_id = ${alias}.memory_id AND moving.phase IN ('left', 'arriving'))`;
}
