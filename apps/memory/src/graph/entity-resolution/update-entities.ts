import { encodeEvent, type EncodedEvent } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { detectContradictions, type ChangedRelation } from '../contradictions/detect-contradictions.ts';
import { relationsToObjects } from '../store/fact-store.ts';
import { namesOfEntities, type NameRow } from '../store/name-store.ts';
import { withStatements } from '../store/statement-counts.ts';
import { presentNames } from '../query/present-names.ts';
import { resolveNames } from './resolve-names.ts';
import type { Visibility } from '../../memories/visibility.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

interface EntityUpdate {
  created: readonly NameRow[];
  goneEntities: readonly string[];
  /** Names that no document has any more. */
  gone: readonly NameRow[];
  aliased: readonly NameRow[];
  touchedFacts: readonly { subject_no: number; relation: string }[];
  byNumber: ReadonlyMap<number, NameRow>;
  /** Where the documents lie that brought the names. */
  vaultsByName: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Resolves what is touched, then compares statements where identity or statements changed. Returns the events and the
 * names that belong to another entity than before.
 */
export async function updateEntities(
  tx: Tx,
  memory: AttributedMemory,
  change: EntityUpdate,
): Promise<{ events: EncodedEvent[]; moved: number[] }> {
  const goneEntities = [...new Set(change.goneEntities.filter((id) => id !== ''))];
  const entityIds = [...goneEntities, ...change.aliased.map((name) => name.entity_id).filter((id) => id !== '')];
  const nothing = { created: [], changed: new Set<string>(), moved: new Map<number, string>() };
  const resolution =
    change.created.length === 0 && entityIds.length === 0
      ? nothing
      : await resolveNames(tx, memory, {
          names: [...change.created, ...change.aliased],
          gone: change.gone,
          entityIds,
        });
  for (const [no, entityId] of resolution.moved) {
    const name = change.byNumber.get(no);
    if (name !== undefined) name.entity_id = entityId;
  }
  const touched: ChangedRelation[] = [...resolution.changed, ...goneEntities].map((entityId) => ({
    entityId,
    relation: null,
  }));
  touched.push(...(await relationsToObjects(tx, memory, [...resolution.moved.keys()])));
  for (const { subject_no, relation } of change.touchedFacts) {
    const entityId = change.byNumber.get(subject_no)?.entity_id ?? '';
    if (entityId !== '') touched.push({ entityId, relation });
  }
  const contradictions = await detectContradictions(tx, memory, touched);
  const created = await createdEvents(tx, memory, resolution.created, change.vaultsByName);
  return { events: [...created, ...contradictions], moved: [...resolution.moved.keys()] };
}

const EVERYTHING: Visibility = { vaults: null, hidden: [] };

async function createdEvents(
  tx: Tx,
  memory: AttributedMemory,
  entityIds: readonly string[],
  vaultsByName: EntityUpdate['vaultsByName'],
): Promise<EncodedEvent[]> {
  const all = await withStatements(tx, memory, await namesOfEntities(tx, memory, entityIds), EVERYTHING);
  const names = Map.groupBy(all, (name) => name.entity_id);
  return entityIds.map((entityId) => {
    const own = names.get(entityId) ?? [];
    const { name, type } = presentNames(own);
    const vaultIds = new Set(own.flatMap(({ name_no }) => [...(vaultsByName.get(name_no) ?? [])]));
    return encodeEvent('entityCreated', memory, { entityId, name, type, vaultIds: [...vaultIds] });
  });
}
