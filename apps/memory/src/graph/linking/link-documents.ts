import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { type Contribution, contributionsOf } from '../store/chunk-contributions.ts';
import { sensesOf } from '../store/decision-store.ts';
import { applyGraphDelta } from './apply-graph-delta.ts';
import type { ExtractedFact, Extraction } from '../extract/extraction.ts';
import { deleteFactsOfChunks, type FactRow, insertFacts } from '../store/fact-store.ts';
import { lockGraph, lockKnownGraph } from '../store/graph-lock.ts';
import { keyText, type NameKey } from '../names/name-similarity.ts';
import { dropReadings } from '../model-reading/reading-store.ts';
import { findNames, numberNames, namesByNumber, type NameRow } from '../store/name-store.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';
import type { LinkedDocument, LinkedChunk } from '../store/linked-chunk.ts';
import { chunkDigest, type ReadWindows, type Window } from './windows.ts';

/** A document with all of its chunks as they are now, in windows. */
export interface DocumentToLink {
  document: LinkedDocument;
  windows: readonly Window[];
}

interface Fresh {
  chunk: LinkedChunk;
  digest: Buffer;
  extraction: Extraction;
  document: LinkedDocument;
}

/**
 * Brings the graph up to what the documents say now, in the caller's transaction: chunks that stayed in their window as
 * it was keep what they added, the others are taken out and read. Lock the documents before. Writes events of entities
 * that are new and of contradictions.
 */
export async function linkDocuments(
  tx: Tx,
  memory: AttributedMemory,
  documents: readonly DocumentToLink[],
  read: ReadWindows,
): Promise<void> {
  const docIds = documents.map(({ document }) => document.doc_id);
  const before = await contributionsOf(tx, memory, docIds);
  // Reading takes the longest, and needs no lock of the graph.
  const { kept, fresh } = await readChunks(memory.tenantId, documents, before, read);
  await lockGraph(tx, memory);
  const senses = await sensesOf(tx, memory, docIds);
  await replaceContributions(tx, memory, {
    before,
    gone: before.filter((row) => !kept.has(row.chunk_id)),
    fresh,
    senses,
    goneDocIds: [],
  });
}

/** Windows with a chunk that is not there as it is now. */
export function windowsToRead(documents: readonly DocumentToLink[], before: readonly Contribution[]): Window[] {
  const known = new Map(before.map((row) => [row.chunk_id, row]));
  return documents.flatMap(({ windows }) =>
    windows.filter((window) => window.chunks.some((_, at) => !isCurrent(window, at, known))),
  );
}

function isCurrent(window: Window, at: number, known: ReadonlyMap<string, Contribution>): boolean {
  const { chunk_id, vault_id } = window.chunks[at]!;
  const stored = known.get(chunk_id);
  return stored?.vault_id === vault_id && stored.read_sha256.equals(chunkDigest(window, at));
}

/** Reads the windows of the chunks that are not there as they are now. */
async function readChunks(
  tenantId: string,
  documents: readonly DocumentToLink[],
  before: readonly Contribution[],
  read: ReadWindows,
): Promise<{ kept: Set<string>; fresh: Fresh[] }> {
  const known = new Map(before.map((row) => [row.chunk_id, row]));
  const wanted = windowsToRead(documents, before);
  const extractions = new Map((await read(tenantId, wanted)).map((each, at) => [wanted[at]!, each]));
  const kept = new Set<string>();
  const fresh: Fresh[] = [];
  for (const { document, windows } of documents)
    for (const window of windows)
      for (const [at, chunk] of window.chunks.entries()) {
        if (isCurrent(window, at, known)) {
          kept.add(chunk.chunk_id);
          continue;
        }
        fresh.push({ chunk, digest: chunkDigest(window, at), extraction: extractions.get(window)![at]!, document });
      }
  return { kept, fresh };
}

/**
 * Takes documents out of the graph, with all that only they supported, in the caller's transaction. Splits that name
 * them are forgotten unless the documents stay.
 */
export async function unlinkDocuments(
  tx: Tx,
  scope: { tenantId: string; memoryId: string },
  docIds: readonly string[],
  { areDeleted }: { areDeleted: boolean } = { areDeleted: true },
): Promise<void> {
  if (docIds.length === 0) return;
  const memory = await lockKnownGraph(tx, scope);
  if (memory === null) return;
  const before = await contributionsOf(tx, memory, docIds);
  await dropReadings(tx, memory, docIds, []);
  const goneDocIds = areDeleted ? docIds : [];
  await replaceContributions(tx, memory, { before, gone: before, fresh: [], senses: new Map(), goneDocIds });
}

interface Replacement {
  /** All that the documents added until now. */
  before: readonly Contribution[];
  gone: readonly Contribution[];
  fresh: readonly Fresh[];
  senses: ReadonlyMap<string, ReadonlyMap<string, string>>;
  goneDocIds: readonly string[];
}

async function replaceContributions(tx: Tx, memory: AttributedMemory, change: Replacement): Promise<void> {
  if (change.gone.length === 0 && change.fresh.length === 0) return;
  const { names, fresh: created } = await namesFor(tx, memory, change);
  const added = change.fresh.map((each) => contributionOf(each, names, change.senses));
  const facts = change.fresh.flatMap((each, at) => factRows(each, added[at]!));
  const goneFacts = await deleteFactsOfChunks(tx, memory, change.gone);
  await insertFacts(tx, memory, facts);
  await applyGraphDelta(tx, memory, {
    before: change.before,
    gone: change.gone,
    added,
    created,
    byNumber: new Map([...names.values()].map((name) => [name.name_no, name])),
    touchedFacts: [...goneFacts, ...facts],
    goneDocIds: change.goneDocIds,
  });
}

/** The key that a name has in a document: what a split says of it there, if one does. */
export function keyIn(name: NameKey, docId: string, senses: ReadonlyMap<string, ReadonlyMap<string, string>>): NameKey {
  const sense = senses.get(docId)?.get(keyText({ ...name, sense: '' })) ?? '';
  return { norm: name.norm, class: name.class, sense };
}

/** Rows of all names that come or go; new ones have no entity yet and are not written. */
async function namesFor(
  tx: Tx,
  memory: AttributedMemory,
  change: Replacement,
): Promise<{ names: Map<string, NameRow>; fresh: NameRow[] }> {
  const keys = new Map<string, NameKey>();
  for (const { extraction, document } of change.fresh)
    for (const name of extraction.names) {
      const key = keyIn({ ...name, sense: '' }, document.doc_id, change.senses);
      keys.set(keyText(key), key);
    }
  const names = await findNames(tx, memory, [...keys.values()]);
  const fresh = await numberNames(
    tx,
    [...keys].filter(([text]) => !names.has(text)).map(([, key]) => key),
  );
  for (const row of fresh) names.set(keyText(row), row);
  const numbers = new Set([...names.values()].map((name) => name.name_no));
  const missing = change.before.flatMap((row) => row.names).filter((no) => !numbers.has(no));
  for (const row of await namesByNumber(tx, memory, missing)) names.set(keyText(row), row);
  return { names, fresh };
}

function contributionOf(each: Fresh, names: ReadonlyMap<string, NameRow>, senses: Replacement['senses']): Contribution {
  const { chunk, digest, extraction } = each;
  return {
    doc_id: chunk.doc_id,
    chunk_id: chunk.chunk_id,
    vault_id: chunk.vault_id,
    read_sha256: digest,
    names: extraction.names.map(
      (name) => names.get(keyText(keyIn({ ...name, sense: '' }, chunk.doc_id, senses)))!.name_no,
    ),
    surfaces: extraction.names.map((name) => name.surface),
    counts: extraction.names.map((name) => name.count),
    links: extraction.edges.map(({ source, target, type, weight, start, end }) =>
      start === undefined || end === undefined
        ? [source, target, type, weight]
        : [source, target, type, weight, start, end],
    ),
  };
}

function factRows({ chunk, extraction, document }: Fresh, contribution: Contribution): FactRow[] {
  return extraction.facts.map((fact: ExtractedFact) => ({
    fact_id: newId('relation'),
    doc_id: chunk.doc_id,
    chunk_id: chunk.chunk_id,
    vault_id: chunk.vault_id,
    subject_no: contribution.names[fact.subjectName]!,
    relation: fact.relation,
    object_no: fact.objectName === null ? null : contribution.names[fact.objectName]!,
    value_text: fact.text,
    value: fact.value,
    negated: fact.negated,
    confidence: fact.confidence,
    quote: chunk.body.slice(fact.start, fact.end),
    quote_start: fact.start,
    quote_end: fact.end,
    valid_from: fact.validFrom === null ? null : new Date(fact.validFrom),
    valid_to: fact.validTo === null ? null : new Date(fact.validTo),
    observed_at: document.occurred_at,
    ended: fact.ended,
    superseded_by: null,
  }));
}
