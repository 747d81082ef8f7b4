import { type mergeEntities, newId, type splitEntity } from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { ClosedVaults } from '../../erasure/closed-scopes.ts';
import type { TargetMemory } from '../../memory-lookup.ts';
import { insertDecision } from '../decision-store.ts';
import { describeEntities } from '../describe-entities.ts';
import type { GraphParts } from '../explore-graph.ts';
import { type GraphMemory, lockKnownGraph } from '../graph-memory.ts';
import { keyText } from '../name-likeness.ts';
import { findNames, namesByNumber, namesOfEntities, type NameRow } from '../name-store.ts';
import { normalForm } from '../normal-form.ts';
import { type OnceOptions, writeOnce } from '../../write-once.ts';
import { visibilityOf } from '../visibility.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import { presentDecision } from './present-decision.ts';

/** Makes entities one. Undone by deleting the decision. */
export async function merge(
  parts: GraphParts,
  call: Call<typeof mergeEntities>,
): Promise<JsonAnswer<typeof mergeEntities>> {
  const target = await parts.lookup.find(call, call.query);
  assertWholeMemory(target);
  const entityIds = [...new Set(call.body.entity_ids)];
  if (entityIds.length < 2) throw validationFailed([{ path: 'entity_ids', message: 'names fewer than two entities' }]);
  return writeOnce(parts.engines, target, onceOf('mergeEntities', call), async ({ tx, closedVaults }) => {
    const { memory, names } = await heldEntities(tx, target, closedVaults, entityIds);
    const decision = await insertDecision(tx, memory, {
      ...{ decision_id: newId('decision'), kind: 'merge' as const },
      ...{ names: names.map(keyText), doc_ids: [], decided_by: call.identity.keyId },
    });
    await applyDecision(tx, memory, names, decision);
    const [after] = await namesByNumber(tx, memory, [names[0]!.name_no]);
    return { ...presentDecision(decision), entity_id: after!.entity_id };
  });
}

/** Tells a part of an entity apart: some of its names, or what some documents mean by them. */
export async function split(
  parts: GraphParts,
  call: Call<typeof splitEntity>,
): Promise<JsonAnswer<typeof splitEntity>> {
  const target = await parts.lookup.find(call, call.query);
  assertWholeMemory(target);
  const { entity_id, names: wanted, doc_ids } = call.body;
  return writeOnce(parts.engines, target, onceOf('splitEntity', call), async ({ tx, closedVaults }) => {
    const { memory, names } = await heldEntities(tx, target, closedVaults, [entity_id]);
    const docIds = doc_ids === undefined ? [] : await documentsNaming(tx, memory, names, doc_ids);
    const apart = wanted === undefined ? names.filter((name) => name.sense === '') : namesCalled(names, wanted);
    if (wanted !== undefined && apart.length === names.length)
      throw validationFailed([
        { path: 'names', message: 'are all names of the entity, so that nothing would be left' },
      ]);
    if (apart.length === 0)
      throw validationFailed([{ path: 'doc_ids', message: 'mean a sense that was told apart already' }]);
    const decision = await insertDecision(tx, memory, {
      ...{ decision_id: newId('decision'), kind: 'split' as const },
      ...{ names: apart.map(keyText), doc_ids: docIds, decided_by: call.identity.keyId },
    });
    await applyDecision(tx, memory, names, decision);
    const key = { ...apart[0]!, sense: docIds.length === 0 ? apart[0]!.sense : decision.decision_id };
    const after = [
      ...(
        await findNames(tx, memory, docIds.length === 0 ? [key] : apart.map((name) => ({ ...name, sense: key.sense })))
      ).values(),
    ];
    return { ...presentDecision(decision), entity_id: after[0]!.entity_id };
  });
}

function onceOf(operation: string, call: Call<typeof mergeEntities> | Call<typeof splitEntity>): OnceOptions {
  return {
    caller: call.identity,
    operation,
    key: call.idempotencyKey,
    request: { ...call.query, ...call.body },
    status: 201,
  };
}

/** The graph, locked, and the names of entities that all exist and are in sight. */
async function heldEntities(
  tx: Tx,
  target: TargetMemory,
  closedVaults: ClosedVaults,
  entityIds: readonly string[],
): Promise<{ memory: GraphMemory; names: NameRow[] }> {
  const memory = await lockKnownGraph(tx, target);
  const seen =
    memory === null ? new Map() : await describeEntities(tx, target, entityIds, visibilityOf(target, closedVaults));
  if (memory === null || entityIds.some((id) => !seen.has(id))) throw notFound('The entity');
  return { memory, names: await namesOfEntities(tx, memory, entityIds) };
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
  memory: GraphMemory,
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
