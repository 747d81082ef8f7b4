import fc from 'fast-check';
import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { deleteDecision, findDecision, insertDecision, listDecisions } from '../../src/graph/store/decision-store.ts';
import { applyDecision } from '../../src/graph/decisions/apply-decision.ts';
import { linkDocuments, unlinkDocuments } from '../../src/graph/linking/link-documents.ts';
import { type ReadWindows, windowsOf } from '../../src/graph/linking/windows.ts';
import { keyText } from '../../src/graph/names/name-similarity.ts';
import { namesByKeyText, namesOfEntities } from '../../src/graph/store/name-store.ts';
import type { AttributedMemory } from '../../src/memories/memory-scope.ts';
import { readHere } from '../read-here.ts';

/** Sentences that share names, spellings, homonyms, values that disagree, aliases and negations. */
export const SENTENCES = [
  'Ada Krull leads the Finance team.',
  'The Finance team is led by Bruno Linde.',
  'Krull, Ada reports to Bruno Linde.',
  'The list price of the Bolt Reader B7 is €12.',
  'The list price of the Bolt Reader B7 is €14.',
  'Norden Maschinenbau GmbH is based in Oslo.',
  'Norden Maschinenbau is based in Bergen.',
  'Nordenn Maschinenbau makes the Bolt Reader B7.',
  'Dr. Jordan lives in Jordan.',
  'Jordan exports the Bolt Reader B7.',
  'Backups are kept for 90 days.',
  'Backups are deleted after 30 days.',
  'The Basic plan includes telephone support.',
  'The Basic plan does not include telephone support.',
  'Émile Kranz and A. Krull work in Zürich.',
  'Emile Kranz met Ada Krull.',
  // Guessed to be a person where nothing is said of it.
  'Pêcheries Kervalec calls Ada Krull.',
  'Pêcheries Kervalec is a family firm in Brittany.',
];

export interface SentDocument {
  id: number;
  vault: number;
  chunks: number[][];
}

type Step =
  | { kind: 'put'; document: SentDocument }
  | { kind: 'delete'; id: number }
  | { kind: 'merge'; a: number; b: number }
  | { kind: 'split'; entity: number; document: number }
  | { kind: 'undo'; decision: number };

const sentence = fc.nat({ max: SENTENCES.length - 1 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      document: fc.record({
        id: fc.nat({ max: 5 }),
        vault: fc.nat({ max: 1 }),
        chunks: fc.array(fc.array(sentence, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), a: fc.nat({ max: 30 }), b: fc.nat({ max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('split' as const),
      entity: fc.nat({ max: 30 }),
      document: fc.nat({ max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), decision: fc.nat({ max: 3 }) }) },
);

export const docIdOf = (_memory: AttributedMemory, id: number) => `doc_${id}`;

export async function put(
  tx: Tx,
  memory: AttributedMemory,
  documents: readonly SentDocument[],
  read: ReadWindows = readHere,
): Promise<void> {
  await linkDocuments(
    tx,
    memory,
    documents.map(({ id, vault, chunks }) => ({
      document: { doc_id: docIdOf(memory, id), vault_id: `vault${vault}`, occurred_at: null },
      windows: windowsOf(
        chunks.map((sentences, ordinal) => ({
          // As in ingestion: a chunk whose text stays, stays itself.
          chunk_id: `chk_${id}_${vault}_${ordinal}_${sentences.join('-')}`,
          doc_id: docIdOf(memory, id),
          vault_id: `vault${vault}`,
          title_path: '',
          body: sentences.map((at) => SENTENCES[at]!).join(' '),
        })),
        () => [],
      ),
    })),
    read,
  );
}

export async function perform(
  tx: Tx,
  memory: AttributedMemory,
  each: Step,
  remaining: Map<number, SentDocument>,
): Promise<void> {
  if (each.kind === 'put') {
    remaining.set(each.document.id, each.document);
    return put(tx, memory, [each.document]);
  }
  if (each.kind === 'delete') {
    remaining.delete(each.id);
    return unlinkDocuments(tx, memory, [docIdOf(memory, each.id)]);
  }
  if (each.kind === 'undo') {
    const decisions = await listDecisions(tx, memory, '', null);
    const decision = decisions[each.decision % Math.max(1, decisions.length)];
    if (decision === undefined || (await findDecision(tx, memory, decision.decision_id)) === null) return;
    await deleteDecision(tx, memory, decision.decision_id);
    return applyDecision(tx, memory, await namesByKeyText(tx, memory, decision.names), decision);
  }
  const entities = (
    await tx.query<{ entity_id: string }>(
      'SELECT entity_id FROM graph_names WHERE memory_id = $1 GROUP BY entity_id ORDER BY min(norm || class || sense)',
      [memory.memoryId],
    )
  ).map((row) => row.entity_id);
  if (entities.length < 2) return;
  const chosen = each.kind === 'merge' ? [each.a, each.b] : [each.entity];
  const names = await namesOfEntities(
    tx,
    memory,
    chosen.map((at) => entities[at % entities.length]!),
  );
  const docIds = each.kind === 'merge' ? [] : [docIdOf(memory, each.document)];
  const kept = each.kind === 'merge' ? names : names.filter((name) => name.sense === '');
  if (kept.length === 0 || (each.kind === 'split' && !remaining.has(each.document))) return;
  const decision = await insertDecision(tx, memory, {
    decision_id: newId('decision'),
    kind: each.kind,
    names: [...new Set(kept.map(keyText))],
    doc_ids: docIds,
    decided_by: 'key_spec',
  });
  await applyDecision(tx, memory, names, decision);
}
