import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { RequestContext } from '@cairn/service-kit';
import type { ClosedVaults } from '../../memories/closed-scopes.ts';
import { describeEntities } from '../query/describe-entities.ts';
import { lockKnownGraph } from '../store/graph-lock.ts';
import { namesOfEntities, type NameRow } from '../store/name-store.ts';
import { type IdempotentWriteOptions } from '../../memories/idempotent-write.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import type { TargetMemory, AttributedMemory } from '../../memories/memory-scope.ts';

export function idempotencyOf(
  operation: string,
  context: RequestContext<typeof operations.mergeEntities> | RequestContext<typeof operations.splitEntity>,
): IdempotentWriteOptions {
  return {
    caller: context.identity,
    operation,
    key: context.idempotencyKey,
    request: { ...context.query, ...context.body },
    status: 201,
  };
}

/** The graph, locked, and the names of entities that all exist and are in sight. */
export async function lockEntities(
  tx: Tx,
  target: TargetMemory,
  closedVaults: ClosedVaults,
  entityIds: readonly string[],
): Promise<{ memory: AttributedMemory; names: NameRow[] }> {
  const memory = await lockKnownGraph(tx, target);
  const seen =
    memory === null ? new Map() : await describeEntities(tx, target, entityIds, visibilityOf(target, closedVaults));
  if (memory === null || entityIds.some((id) => !seen.has(id))) throw notFound('The entity');
  return { memory, names: await namesOfEntities(tx, memory, entityIds) };
}
