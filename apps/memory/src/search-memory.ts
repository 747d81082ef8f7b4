import { type AnswerOf, newId, type searchMemory, type streamSearch } from '@cairn/contracts';
import type { Call, Emit, JsonAnswer } from '@cairn/service-kit';
import { composeExtractiveAnswer } from './answer/extractive-answer.ts';
import type { ComposedAnswer, Passage } from './answer/passage.ts';
import { findChunks, type FoundChunk } from './chunk-store.ts';
import type { Engines } from './engines/engines.ts';
import type { IndexFilter, IndexHit } from './index/search-index.ts';
import type { MemoryLookup } from './memory-lookup.ts';
import { compileFilter } from './search-filter.ts';

export interface SearchParts {
  engines: Engines;
  lookup: MemoryLookup;
}

type SearchCall = Call<typeof searchMemory>;
type SearchBody = AnswerOf<typeof searchMemory>;

/** Passages the answer may read, even when fewer results are asked for. */
const ANSWER_DEPTH = 20;

interface Retrieved {
  hits: { hit: IndexHit; chunk: FoundChunk }[];
  answer: ComposedAnswer;
  body: SearchBody;
}

/** The search, answered as one JSON body. */
export async function answerSearch(parts: SearchParts, call: SearchCall): Promise<JsonAnswer<typeof searchMemory>> {
  return { body: (await retrieve(parts, call)).body };
}

/** The same search as events: the sources before the first token, then the answer's words, then all of it. */
export async function streamAnswer(
  parts: SearchParts,
  call: Call<typeof streamSearch>,
  emit: Emit<typeof streamSearch>,
): Promise<void> {
  const { answer, body } = await retrieve(parts, call);
  await emit('sources', { citations: body.citations });
  for (const piece of answer.pieces) await emit('token', { text: piece });
  await emit('done', { answer: body.answer, suggested_followups: body.suggested_followups });
}

/** One pipeline for every way of asking: look up, search, read the chunks, compose. */
async function retrieve(parts: SearchParts, call: SearchCall): Promise<Retrieved> {
  const clock = stopwatch();
  const memory = await parts.lookup.find(call, call.body);
  clock.lap('lookup');
  const hits = await parts.engines.read(memory, async ({ tx, index, closedVaults }) => {
    const { query, filters, top_k } = call.body;
    const filter = allOf([
      filters === undefined ? undefined : await compileFilter(tx, memory, filters),
      memory.spaceId === null ? undefined : { vaultIds: [memory.vaultId] },
      closedVaults.size === 0 ? undefined : { not: { vaultIds: [...closedVaults] } },
    ]);
    const found = await index.search(tx, memory, {
      text: query,
      limit: Math.max(top_k, ANSWER_DEPTH),
      // Frequencies are those of the whole memory: a key that reaches one space of it does not learn them.
      explain: call.body.explain && call.identity.spaceId === null,
      signal: call.signal,
      ...(filter === undefined ? {} : { filter }),
    });
    const chunks = await findChunks(tx, memory, found);
    return found.flatMap((hit) => {
      const chunk = chunks.get(hit.chunkId);
      return chunk === undefined ? [] : [{ hit, chunk }];
    });
  });
  clock.lap('search');
  const answer = composeExtractiveAnswer(call.body.query, hits.map(passageOf));
  clock.lap('answer');
  return { hits, answer, body: bodyOf(call, hits, answer, clock.laps()) };
}

function allOf(filters: readonly (IndexFilter | undefined)[]): IndexFilter | undefined {
  const and = filters.filter((filter) => filter !== undefined);
  return and.length < 2 ? and[0] : { and };
}

function passageOf({ hit, chunk }: Retrieved['hits'][number]): Passage {
  return {
    chunkId: hit.chunkId,
    docId: chunk.doc_id,
    title: chunk.title,
    titlePath: chunk.title_path,
    body: chunk.body,
    score: hit.score,
  };
}

function bodyOf(
  call: SearchCall,
  hits: Retrieved['hits'],
  answer: ComposedAnswer,
  timing: Record<string, number>,
): SearchBody {
  const uris = new Map(hits.map(({ chunk }) => [chunk.chunk_id, chunk.source_uri]));
  return {
    search_id: newId('search'),
    answer: answer.text,
    generated: false,
    citations: answer.cited.map(({ passage, snippet }, index) => ({
      citation_id: String(index + 1),
      doc_id: passage.docId,
      chunk_id: passage.chunkId,
      title: passage.title,
      snippet,
      source_uri: uris.get(passage.chunkId) ?? null,
      score: passage.score,
    })),
    results: hits.slice(0, call.body.top_k).map(({ hit, chunk }) => ({
      chunk_id: chunk.chunk_id,
      doc_id: chunk.doc_id,
      title: chunk.title,
      text: chunk.body,
      score: hit.score,
      vault_id: chunk.vault_id,
      source_uri: chunk.source_uri,
      occurred_at: chunk.occurred_at?.toISOString() ?? null,
      location: chunk.location,
      ...(hit.explanation === undefined ? {} : { explanation: hit.explanation }),
    })),
    entities: [],
    suggested_followups: answer.followups,
    timing_ms: timing,
  };
}

function stopwatch() {
  const start = performance.now();
  let last = start;
  const laps: Record<string, number> = {};
  const round = (ms: number) => Math.round(ms * 100) / 100;
  return {
    lap(name: string) {
      const now = performance.now();
      laps[name] = round(now - last);
      last = now;
    },
    laps: () => ({ ...laps, total: round(performance.now() - start) }),
  };
}
