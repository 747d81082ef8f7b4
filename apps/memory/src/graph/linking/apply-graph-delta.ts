import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import {
  applyLinks,
  type Contribution,
  deleteContributions,
  insertContributions,
} from '../store/chunk-contributions.ts';
import { pruneDecisions } from '../store/decision-store.ts';
import { recordGraphChange } from '../store/graph-lock.ts';
import { keyText } from '../names/name-similarity.ts';
import { deleteNames, type NameRow, updateNameCounts } from '../store/name-store.ts';
import { ALIAS_OF } from '../entity-resolution/resolve-names.ts';
import { updateEntities } from '../entity-resolution/update-entities.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

/** Contributions of chunks that are removed and added, of some documents. */
interface GraphDelta {
  /** Everything the documents contributed until now, including what stays. */
  before: readonly Contribution[];
  gone: readonly Contribution[];
  added: readonly Contribution[];
  /** Every name of them, those that are new with `added` included. */
  byNumber: ReadonlyMap<number, NameRow>;
  created: readonly NameRow[];
  touchedFacts: readonly { subject_no: number; relation: string }[];
  /** Documents that are deleted. */
  goneDocIds: readonly string[];
}

/** Removes and adds contributions, then updates sums, entities and contradictions. Requires the lock of the graph. */
export async function applyGraphDelta(tx: Tx, memory: AttributedMemory, change: GraphDelta): Promise<void> {
  await deleteContributions(tx, memory, change.gone);
  await insertContributions(tx, memory, change.added);
  await applyLinks(tx, memory, change.added, change.gone);
  const counted = countNames(change);
  const gone = counted.filter((name) => name.chunks === 0);
  // What is new is written with its entity, in one step.
  const created = new Set(change.created);
  await updateNameCounts(
    tx,
    memory,
    counted.filter((name) => name.chunks > 0 && !created.has(name)),
  );
  const goneNumbers = new Set(gone.map((name) => name.name_no));
  await deleteNames(tx, memory, [...goneNumbers]);
  if (gone.length > 0 || change.goneDocIds.length > 0)
    await pruneDecisions(tx, memory, { keys: gone.map(keyText), docIds: change.goneDocIds });
  const remaining = (names: readonly NameRow[]) => names.filter((name) => !goneNumbers.has(name.name_no));
  const { events, moved } = await updateEntities(tx, memory, {
    created: remaining(change.created),
    goneEntities: gone.map((name) => name.entity_id),
    gone,
    aliased: remaining(aliasedNames([...change.added, ...change.gone], change.byNumber)),
    touchedFacts: change.touchedFacts,
    byNumber: change.byNumber,
    vaultsByName: vaultsByName(change.added),
  });
  await appendAllToOutbox(tx, events);
  await recordGraphChange(tx, memory, new Set([...counted.map((name) => name.name_no), ...moved]));
}

/** Adds up what came and went, in place, and returns the names whose counts changed. */
function countNames({ before, gone, added, byNumber }: GraphDelta): NameRow[] {
  const changed = new Set<NameRow>();
  const apply = (rows: readonly Contribution[], sign: 1 | -1) => {
    for (const row of rows)
      row.names.forEach((no, at) => {
        const name = byNumber.get(no)!;
        changed.add(name);
        name.chunks += sign;
        const surface = row.surfaces[at]!;
        const count = (Object.hasOwn(name.forms, surface) ? name.forms[surface]! : 0) + sign * (row.counts[at]! + 1);
        if (count > 0) name.forms[surface] = count;
        else delete name.forms[surface];
      });
  };
  apply(added, 1);
  apply(gone, -1);
  const goneChunks = new Set(gone);
  const after = documentsByName([...before.filter((row) => !goneChunks.has(row)), ...added]);
  const until = documentsByName(before);
  for (const name of changed)
    name.documents += (after.get(name.name_no)?.size ?? 0) - (until.get(name.name_no)?.size ?? 0);
  return [...changed];
}

function documentsByName(rows: readonly Contribution[]): Map<number, Set<string>> {
  const documents = new Map<number, Set<string>>();
  for (const row of rows)
    for (const no of row.names) {
      const known = documents.get(no);
      if (known === undefined) documents.set(no, new Set([row.doc_id]));
      else known.add(row.doc_id);
    }
  return documents;
}

function vaultsByName(rows: readonly Contribution[]): Map<number, Set<string>> {
  const vaults = new Map<number, Set<string>>();
  for (const row of rows)
    for (const no of row.names) {
      const known = vaults.get(no);
      if (known === undefined) vaults.set(no, new Set([row.vault_id]));
      else known.add(row.vault_id);
    }
  return vaults;
}

/** Names about which alias statements came or went. */
function aliasedNames(rows: readonly Contribution[], byNumber: ReadonlyMap<number, NameRow>): NameRow[] {
  const numbers = rows.flatMap((row) =>
    row.links
      .filter(([, , type]) => type === ALIAS_OF)
      .flatMap(([source, target]) => [row.names[source]!, row.names[target]!]),
  );
  return [...new Set(numbers)].map((no) => byNumber.get(no)!);
}
