import type { Tx } from '@cairn/postgres';
import { contributionsOf } from '../store/chunk-contributions.ts';
import { sensesOf } from '../store/decision-store.ts';
import { applyGraphDelta } from '../linking/apply-graph-delta.ts';
import { renameFacts } from '../store/fact-store.ts';
import { keyIn } from '../linking/link-documents.ts';
import { keyText, type NameKey } from '../names/name-similarity.ts';
import { findNames, numberNames, namesByNumber, type NameRow } from '../store/name-store.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

/** Assigns the names in documents the senses that splits define now, without reading the documents again. */
export async function relinkSenses(tx: Tx, memory: AttributedMemory, docIds: readonly string[]): Promise<void> {
  const before = await contributionsOf(tx, memory, docIds);
  const senses = await sensesOf(tx, memory, docIds);
  const rows = await namesByNumber(
    tx,
    memory,
    before.flatMap((row) => row.names),
  );
  const byNumber = new Map(rows.map((row) => [row.name_no, row]));
  const wanted = new Map<string, NameKey>();
  const keyOf = (no: number, docId: string) => keyIn(byNumber.get(no)!, docId, senses);
  const gone = before.filter((row) =>
    row.names.some((no) => keyText(keyOf(no, row.doc_id)) !== keyText(byNumber.get(no)!)),
  );
  for (const row of gone)
    for (const no of row.names) {
      const key = keyOf(no, row.doc_id);
      wanted.set(keyText(key), key);
    }
  if (gone.length === 0) return;
  const found = await findNames(tx, memory, [...wanted.values()]);
  const created = await numberNames(
    tx,
    [...wanted].filter(([text]) => !found.has(text)).map(([, key]) => key),
  );
  for (const row of [...found.values(), ...created]) if (!byNumber.has(row.name_no)) byNumber.set(row.name_no, row);
  const byKey = new Map<string, NameRow>([...byNumber.values()].map((row) => [keyText(row), row]));
  const renamed = gone.map((row) =>
    row.names.map((no) => ({ docId: row.doc_id, from: no, to: byKey.get(keyText(keyOf(no, row.doc_id)))!.name_no })),
  );
  const added = gone.map((row, at) => ({ ...row, names: renamed[at]!.map((change) => change.to) }));
  const touchedFacts = await renameFacts(
    tx,
    memory,
    renamed.flat().filter((change) => change.from !== change.to),
  );
  await applyGraphDelta(tx, memory, { before, gone, added, byNumber, created, touchedFacts, goneDocIds: [] });
}
