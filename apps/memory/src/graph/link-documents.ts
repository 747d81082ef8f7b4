import { encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import type { ChunkRow } from '../chunk-store.ts';
import {
  applyLinks,
  type Contribution,
  contributionsOf,
  deleteContributions,
  insertContributions,
  readingDigest,
} from './chunk-contributions.ts';
import { forgetInDecisions, sensesOf } from './decision-store.ts';
import { detectContradictions, type TouchedRelation } from './detect-contradictions.ts';
import type { ExtractedFact, Extraction } from './extract/extract.ts';
import { deleteFactsOfChunks, type FactRow, insertFacts, relationsToObjects } from './fact-store.ts';
import { type GraphMemory, lockGraph, lockKnownGraph, touchGraph } from './graph-memory.ts';
import { keyText, type NameKey } from './name-likeness.ts';
import {
  deleteNames,
  findNames,
  insertNames,
  namesByNumber,
  namesOfEntities,
  type NameRow,
  updateNameCounts,
} from './name-store.ts';
import { presentNames } from './present-entity.ts';
import { resolveNames } from './resolve-names.ts';

/** A document as the graph needs it. */
export interface LinkedDocument {
  doc_id: string;
  vault_id: string;
  occurred_at: Date | null;
}

export type LinkedChunk = Pick<ChunkRow, 'chunk_id' | 'doc_id' | 'vault_id' | 'title_path' | 'body'>;

/** Reads what a chunk says. The name is of the reader, so that another one reads everything again. */
export interface ChunkReader {
  name: string;
  read(chunk: LinkedChunk): Extraction;
}

/** A document with all of its chunks as they are now. */
export interface DocumentToLink {
  document: LinkedDocument;
  chunks: readonly LinkedChunk[];
}

interface Fresh {
  chunk: LinkedChunk;
  digest: Buffer;
  extraction: Extraction;
  document: LinkedDocument;
}

/**
 * Brings the graph up to what the documents say now, in the caller's transaction: chunks that stayed keep what they
 * added, the others are taken out and read. Lock the documents before. Writes events of entities that are new and of
 * contradictions.
 */
export async function linkDocuments(
  tx: Tx,
  memory: GraphMemory,
  documents: readonly DocumentToLink[],
  reader: ChunkReader,
): Promise<void> {
  const docIds = documents.map(({ document }) => document.doc_id);
  const before = await contributionsOf(tx, memory, docIds);
  const known = new Map(before.map((row) => [row.chunk_id, row]));
  const kept = new Set<string>();
  const fresh: Fresh[] = [];
  // Reading needs no lock, and takes the longest.
  for (const { document, chunks } of documents)
    for (const chunk of chunks) {
      const digest = readingDigest(chunk, reader.name);
      const standing = known.get(chunk.chunk_id);
      if (standing !== undefined && standing.vault_id === chunk.vault_id && standing.read_sha256.equals(digest))
        kept.add(chunk.chunk_id);
      else fresh.push({ chunk, digest, extraction: reader.read(chunk), document });
    }
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

/** Takes documents out of the graph, with all that only they supported, in the caller's transaction. */
export async function unlinkDocuments(
  tx: Tx,
  scope: { tenantId: string; memoryId: string },
  docIds: readonly string[],
): Promise<void> {
  if (docIds.length === 0) return;
  const memory = await lockKnownGraph(tx, scope);
  if (memory === null) return;
  const before = await contributionsOf(tx, memory, docIds);
  await replaceContributions(tx, memory, { before, gone: before, fresh: [], senses: new Map(), goneDocIds: docIds });
}

interface Replacement {
  /** All that the documents added until now. */
  before: readonly Contribution[];
  gone: readonly Contribution[];
  fresh: readonly Fresh[];
  senses: ReadonlyMap<string, ReadonlyMap<string, string>>;
  goneDocIds: readonly string[];
}

async function replaceContributions(tx: Tx, memory: GraphMemory, change: Replacement): Promise<void> {
  if (change.gone.length === 0 && change.fresh.length === 0) return;
  const { names, fresh: created } = await namesFor(tx, memory, change);
  const added = change.fresh.map((each) => contributionOf(each, names, change.senses));
  const facts = change.fresh.flatMap((each, at) => factRows(each, added[at]!));
  const touchedFacts = await deleteFactsOfChunks(tx, memory, change.gone);
  await deleteContributions(tx, memory, change.gone);
  await insertContributions(tx, memory, added);
  await applyLinks(tx, memory, added, change.gone);
  await insertFacts(tx, memory, facts);
  const byNumber = new Map([...names.values()].map((name) => [name.name_no, name]));
  const counted = countNames(byNumber, change, added);
  const gone = counted.filter((name) => name.chunks === 0);
  await updateNameCounts(
    tx,
    memory,
    counted.filter((name) => name.chunks > 0),
  );
  await deleteNames(
    tx,
    memory,
    gone.map((name) => name.name_no),
  );
  if (gone.length > 0 || change.goneDocIds.length > 0)
    await forgetInDecisions(tx, memory, { keys: gone.map(keyText), docIds: change.goneDocIds });
  const aliased = aliasedNames([...added, ...change.gone], byNumber);
  const goneNumbers = new Set(gone.map((name) => name.name_no));
  const events = await settleIdentity(tx, memory, {
    created: created.filter((name) => !goneNumbers.has(name.name_no)),
    goneEntities: gone.map((name) => name.entity_id),
    aliased: aliased.filter((name) => !goneNumbers.has(name.name_no)),
    touchedFacts: [...touchedFacts, ...facts],
    byNumber,
  });
  await appendAllToOutbox(tx, events);
  await touchGraph(tx, memory);
}

function keyOf(name: NameKey, docId: string, senses: Replacement['senses']): NameKey {
  const sense = senses.get(docId)?.get(keyText({ ...name, sense: '' })) ?? '';
  return { norm: name.norm, class: name.class, sense };
}

/** Rows of all names that come or go; new ones are inserted. */
async function namesFor(
  tx: Tx,
  memory: GraphMemory,
  change: Replacement,
): Promise<{ names: Map<string, NameRow>; fresh: NameRow[] }> {
  const keys = new Map<string, NameKey>();
  for (const { extraction, document } of change.fresh)
    for (const name of extraction.names) {
      const key = keyOf({ ...name, sense: '' }, document.doc_id, change.senses);
      keys.set(keyText(key), key);
    }
  const names = await findNames(tx, memory, [...keys.values()]);
  const fresh = await insertNames(
    tx,
    memory,
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
      (name) => names.get(keyText(keyOf({ ...name, sense: '' }, chunk.doc_id, senses)))!.name_no,
    ),
    surfaces: extraction.names.map((name) => name.surface),
    counts: extraction.names.map((name) => name.count),
    links: extraction.edges.map((edge) => [edge.source, edge.target, edge.type, edge.weight]),
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
    superseded_by: null,
  }));
}

/** Adds up what came and went, in place, and gives the names whose counts changed. */
function countNames(
  byNumber: ReadonlyMap<number, NameRow>,
  change: Replacement,
  added: readonly Contribution[],
): NameRow[] {
  const changed = new Set<NameRow>();
  const apply = (rows: readonly Contribution[], sign: 1 | -1) => {
    for (const row of rows)
      row.names.forEach((no, at) => {
        const name = byNumber.get(no)!;
        changed.add(name);
        name.chunks += sign;
        const surface = row.surfaces[at]!;
        const count = (name.forms[surface] ?? 0) + sign * (row.counts[at]! + 1);
        if (count > 0) name.forms[surface] = count;
        else delete name.forms[surface];
      });
  };
  apply(added, 1);
  apply(change.gone, -1);
  const goneChunks = new Set(change.gone);
  const after = documentsByName([...change.before.filter((row) => !goneChunks.has(row)), ...added]);
  const before = documentsByName(change.before);
  for (const name of changed)
    name.documents += (after.get(name.name_no)?.size ?? 0) - (before.get(name.name_no)?.size ?? 0);
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

/** Names about which alias statements came or went. */
function aliasedNames(rows: readonly Contribution[], byNumber: ReadonlyMap<number, NameRow>): NameRow[] {
  const numbers = rows.flatMap((row) =>
    row.links
      .filter(([, , type]) => type === 'alias_of')
      .flatMap(([source, target]) => [row.names[source]!, row.names[target]!]),
  );
  return [...new Set(numbers)].map((no) => byNumber.get(no)!);
}

export interface IdentityChange {
  created: readonly NameRow[];
  goneEntities: readonly string[];
  aliased: readonly NameRow[];
  touchedFacts: readonly { subject_no: number; relation: string }[];
  byNumber: ReadonlyMap<number, NameRow>;
}

/** Resolves what is touched, then compares statements where identity or statements changed. Gives the events. */
export async function settleIdentity(tx: Tx, memory: GraphMemory, change: IdentityChange): Promise<EncodedEvent[]> {
  const goneEntities = [...new Set(change.goneEntities.filter((id) => id !== ''))];
  const entityIds = [...goneEntities, ...change.aliased.map((name) => name.entity_id).filter((id) => id !== '')];
  const nothing = { created: [], changed: new Set<string>(), moved: new Map<number, string>() };
  const resolution =
    change.created.length === 0 && entityIds.length === 0
      ? nothing
      : await resolveNames(tx, memory, { names: [...change.created, ...change.aliased], entityIds });
  for (const [no, entityId] of resolution.moved) {
    const name = change.byNumber.get(no);
    if (name !== undefined) name.entity_id = entityId;
  }
  const touched: TouchedRelation[] = [...resolution.changed, ...goneEntities].map((entityId) => ({
    entityId,
    relation: null,
  }));
  touched.push(...(await relationsToObjects(tx, memory, [...resolution.moved.keys()])));
  for (const { subject_no, relation } of change.touchedFacts) {
    const entityId = change.byNumber.get(subject_no)?.entity_id ?? '';
    if (entityId !== '') touched.push({ entityId, relation });
  }
  const contradictions = await detectContradictions(tx, memory, touched);
  return [...(await createdEvents(tx, memory, resolution.created)), ...contradictions];
}

async function createdEvents(tx: Tx, memory: GraphMemory, entityIds: readonly string[]): Promise<EncodedEvent[]> {
  const names = Map.groupBy(await namesOfEntities(tx, memory, entityIds), (name) => name.entity_id);
  return entityIds.map((entityId) => {
    const { name, type } = presentNames(names.get(entityId) ?? []);
    return encodeEvent('entityCreated', memory, { entityId, name, type });
  });
}
