import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { insertDecision } from '../store/decision-store.ts';
import { keyText } from '../names/name-similarity.ts';
import { findNames, type NameRow } from '../store/name-store.ts';
import { normalForm } from '../names/normal-form.ts';
import { writeIdempotently } from '../../memories/idempotent-write.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { idempotencyOf, lockEntities } from './locked-entities.ts';
import { presentDecision } from './present-decision.ts';

/** Identifies a part of an entity: some of its names, or what some documents mean by them. */
export async function splitEntity(
  deps: GraphDeps,
  context: RequestContext<typeof operations.splitEntity>,
): Promise<JsonResponse<typeof operations.splitEntity>> {
  const target = await deps.memories.resolve(context, context.query);
  assertWholeMemory(target);
  const { entity_id, names: wanted, doc_ids } = context.body;
  return writeIdempotently(
    deps.engines,
    target,
    idempotencyOf('splitEntity', context),
    async ({ tx, closedVaults }) => {
      const { memory, names } = await lockEntities(tx, target, closedVaults, [entity_id]);
      const docIds = doc_ids === undefined ? [] : await documentsNaming(tx, memory, names, doc_ids);
      const apart = wanted === undefined ? names.filter((name) => name.sense === '') : namesCalled(names, wanted);
      if (wanted !== undefined && apart.length === names.length)
        throw validationFailed([
          { path: 'names', message: 'are all names of the entity, so that nothing would be left' },
        ]);
      if (apart.length === 0)
        throw validationFailed([{ path: 'doc_ids', message: 'mean a sense that was told apart already' }]);
      const decision = await insertDecision(tx, memory, {
        decision_id: newId('decision'),
        kind: 'split' as const,
        names: apart.map(keyText),
        doc_ids: docIds,
        decided_by: context.identity.keyId,
      });
      await applyDecision(tx, memory, names, decision);
      const key = { ...apart[0]!, sense: docIds.length === 0 ? apart[0]!.sense : decision.decision_id };
      const after = [
        ...(
          await findNames(
            tx,
            memory,
            docIds.length === 0 ? [key] : apart.map((name) => ({ ...name, sense: key.sense })),
          )
        ).values(),
      ];
      return { ...presentDecision(decision), entity_id: after[0]!.entity_id };
    },
  );
}

function namesCalled(names: readonly NameRow[], wanted: readonly string[]): NameRow[] {
  return wanted.flatMap((text) => {
    const norm = normalForm(text);
    const found = names.filter((name) => name.norm === norm);
    if (found.length === 0)
      throw validationFailed([{ path: 'names', message: `the entity is not called ${JSON.stringify(text)}` }]);
    return found;
  });
}

async function documentsNaming(
  tx: Tx,
  memory: AttributedMemory,
  names: readonly NameRow[],
  docIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ doc_id: string }>(
    `SELECT DISTINCT doc_id FROM graph_mentions WHERE tenant_id = $1 AND memory_id = $2 AND name_no = ANY($3) AND doc_id = ANY($4)`,
    [memory.tenantId, memory.memoryId, names.map((name) => name.name_no), docIds],
  );
  const found = new Set(rows.map((row) => row.doc_id));
  if (docIds.some((id) => !found.has(id)))
    throw validationFailed([{ path: 'doc_ids', message: 'names a document that does not name the entity' }]);
  return [...found];
}
