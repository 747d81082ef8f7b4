import { idempotent, type IdempotencyCaller } from '@cairn/postgres';
import type { Engines, OpenMemory } from './engines.ts';
import type { TargetMemory } from './memory-scope.ts';

export interface IdempotentWriteOptions {
  caller: IdempotencyCaller;
  operation: string;
  /** The caller's `Idempotency-Key`; undefined runs the work plainly. */
  key: string | undefined;
  /** Everything that distinguishes the request: path, query and body. */
  request: unknown;
  /** HTTP status of the response. */
  status: number;
}

/** Writes to a memory, once per `Idempotency-Key`; a repeat gets the stored response. Throws what {@link idempotent} throws. */
export async function writeIdempotently<Body>(
  engines: Pick<Engines, 'write'>,
  target: TargetMemory,
  { status, ...options }: IdempotentWriteOptions,
  work: (open: OpenMemory) => Promise<Body>,
): Promise<{ body: Body; status: number; replayed: boolean }> {
  const response = await engines.write(target, (open) =>
    idempotent(open.tx, { memoryId: target.memoryId, ...options }, async () => ({ status, body: await work(open) })),
  );
  return response as typeof response & { body: Body };
}
