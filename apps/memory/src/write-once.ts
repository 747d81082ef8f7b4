import { idempotent, type IdempotencyCaller } from '@cairn/postgres';
import type { Engines, OpenMemory } from './engines/engines.ts';
import type { TargetMemory } from './memory-lookup.ts';

export interface OnceOptions {
  caller: IdempotencyCaller;
  operation: string;
  /** The caller's `Idempotency-Key`; undefined runs the work plainly. */
  key: string | undefined;
  /** All that says what is asked for, of the path, the query and the body. */
  request: unknown;
  /** HTTP status of the answer. */
  status: number;
}

/** Writes to a memory, once per `Idempotency-Key`; a repeat gets the stored answer. Throws what {@link idempotent} throws. */
export async function writeOnce<A>(
  engines: Pick<Engines, 'write'>,
  target: TargetMemory,
  { status, ...options }: OnceOptions,
  work: (open: OpenMemory) => Promise<A>,
): Promise<{ body: A; status: number; replayed: boolean }> {
  const answer = await engines.write(target, (open) =>
    idempotent(open.tx, { memoryId: target.memoryId, ...options }, async () => ({ status, body: await work(open) })),
  );
  return answer as typeof answer & { body: A };
}
