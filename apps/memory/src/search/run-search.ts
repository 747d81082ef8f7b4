import { type ResponseOf, type EncodedEvent, newId, type RequestOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { Attribution, LanguageModelPort } from '@cairn/llm';
import type { IndexFilter } from '@cairn/search-index';
import { ANSWER_DEPTH, type DraftedAnswer, beginExtractiveAnswer, readAhead } from './answer/extractive-answer.ts';
import { citedNumbers, generateAnswer, type GenerationEnd } from './answer/generated-answer.ts';
import { NOTHING_FOUND, piecesOf } from './answer/pieces.ts';
import { citableSources } from './answer/citable-sources.ts';
import type { CitedPassage, ComposedAnswer, Passage } from './answer/passage.ts';
import { supportOf } from './answer/supporting-words.ts';
import { suggestFollowups } from './answer/followups.ts';
import type { OpenMemory } from '../memories/engines.ts';
import type { Caller } from '../memories/resolve-memory.ts';
import { allOf, compileFilter } from './filter.ts';
import { type Conversation, storeTurns, storeUsage, openConversation } from './conversation.ts';
import { explainScore } from './explain-score.ts';
import { findPassages, type FoundPassage, type FoundPassages, passageOf } from './find-passages.ts';
import { findFurtherPassages } from './find-further-passages.ts';
import { type FollowUp, resolveFollowUp } from './follow-up.ts';
import type { Disagreement } from './graph-signal.ts';
import { logSearch } from './log/log-search.ts';
import { rerankByModel } from './rerank-by-model.ts';
import { renumbered } from './renumber.ts';
import type { SearchDeps } from './search-deps.ts';
import { stopwatch } from './stopwatch.ts';
import { answerFromTables, readTables, type TableDocument, unlisted } from './tables/find-table-answer.ts';
import { timeWindowOf } from './time-window.ts';
import { fallbackReason } from './fallback-reason.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { visibilityOf } from '../memories/visibility.ts';

type SearchInput = RequestOf<typeof operations.searchMemory>['body'];
type SearchBody = ResponseOf<typeof operations.searchMemory>;
type Citation = SearchBody['citations'][number];

/** What a search says on its way: the sources once, then the answer in pieces. */
type SearchProgress = { kind: 'sources'; citations: Citation[] } | { kind: 'piece'; text: string };

/** Passages whose statements are looked up for contradictions. */
const DISAGREEMENT_DEPTH = 20;

/** Everything one search knows on its way. */
interface Search {
  deps: SearchDeps;
  context: Caller;
  input: SearchInput;
  target: TargetMemory;
  conversation: Conversation | null;
  followUp: FollowUp;
  model: LanguageModelPort | null;
  /** Why there is no model although there should be one. */
  fallback: string | null;
  attribution: Attribution;
  usage: EncodedEvent[];
  clock: ReturnType<typeof stopwatch>;
}

/** What was found, and what its best passages disagree about. */
interface Found extends FoundPassages {
  contradictions: Disagreement[];
  /** Found for the second step of the question; not among the passages. */
  further: FoundPassage[];
}

interface Outcome {
  /** Numbered as in `sources`, without a stream from 1 without gaps; every one of them is cited. */
  cited: (CitedPassage & { number: number })[];
  text: string;
  generated: boolean;
  fallback: string | null;
}

/**
 * The one pipeline of every way of asking, plain, streamed and over MCP: understand, find, order, answer, keep. Yields
 * the sources before the first piece of the answer; the pieces joined are the answer. Work stops with the signal.
 */
export async function* runSearch(
  deps: SearchDeps,
  context: Caller,
  input: SearchInput,
  { isStreamed }: { isStreamed: boolean },
): AsyncGenerator<SearchProgress, SearchBody> {
  const search = await beginSearch(deps, context, input);
  let kept = false;
  try {
    const { found: passed, begun, tables, nearFallback } = await find(search);
    const computed = await answerFromTables(deps.tables, search.target.tenantId, input.query, tables, context.signal);
    search.clock.lap('tables');
    // Rows that a table's answer cites are shown like what a second step found.
    const found = computed === null ? passed : { ...passed, further: unlisted(computed.rows, passed.passages) };
    const passages = found.passages.map(passageOf);
    const extracted = computed?.composed ?? begun.finish(found.further.map(passageOf));
    // A figure over all rows is exact, and a model would see a few of them.
    if (computed !== null) search.model = null;
    search.clock.lap('extract');
    const sources = citableSources(extracted, search.model === null ? [] : passages);
    yield { kind: 'sources', citations: sources.map((source, index) => citationOf(source, index + 1, found)) };
    const said = yield* answerFrom(search, sources, extracted);
    // A stream has already sent its sources with their numbers.
    const outcome = isStreamed ? said : renumbered(said);
    search.clock.lap('answer');
    outcome.fallback ??= nearFallback;
    context.signal.throwIfAborted();
    if (search.conversation !== null) {
      await storeTurns(deps, search.conversation, { question: input.query, answer: outcome.text }, search.usage);
      kept = true;
    }
    const body = bodyOf(search, found, passages, outcome, extracted);
    logSearch(deps.searchLog, search, body);
    return body;
  } finally {
    if (!kept) await storeUsage(deps, search.target, search.usage);
  }
}

async function beginSearch(deps: SearchDeps, context: Caller, input: SearchInput): Promise<Search> {
  const clock = stopwatch();
  const conversation = input.thread_id === undefined ? null : await openConversation(deps, context, input.thread_id);
  const target = await deps.memories.resolve(context, requestedScope(input, conversation));
  const followUp = resolveFollowUp(input.query, conversation?.turns ?? []);
  // A program's token stands for whoever it calls for, so its client counts as the user.
  const user =
    input.user ?? conversation?.user ?? (context.identity.kind === 'oauth' ? context.identity.keyId : undefined);
  const attribution: Attribution = {
    tenantId: target.tenantId,
    livemode: context.identity.livemode,
    workspaceId: target.workspaceId,
    memoryId: target.memoryId,
    apiKeyId: context.identity.keyId,
    ...(target.spaceId === null ? {} : { spaceId: target.spaceId }),
    ...(input.thread_id === undefined ? {} : { conversationId: input.thread_id }),
    ...(user === undefined ? {} : { user }),
  };
  const { model, fallback } = await languageModel(deps, attribution, input.llm_model);
  clock.lap('lookup');
  return { deps, context, input, target, conversation, followUp, model, fallback, attribution, usage: [], clock };
}

/** The model that answers; none when nobody can say whose key it takes, which costs the search no more than that. */
async function languageModel(
  deps: SearchDeps,
  who: Attribution,
  name: string | undefined,
): Promise<{ model: LanguageModelPort | null; fallback: string | null }> {
  try {
    return { model: await deps.models.language(who, name), fallback: null };
  } catch (error) {
    const fallback = fallbackReason(error);
    if (fallback === null) throw error;
    return { model: null, fallback };
  }
}

/** A thread brings its memory, and its space, unless the request names them itself. */
function requestedScope(input: SearchInput, conversation: Conversation | null) {
  const { memory_id, space_id } = input;
  if (conversation === null || memory_id !== undefined || space_id !== undefined) return { memory_id, space_id };
  return { memory_id: conversation.home.memoryId, space_id: conversation.spaceId ?? undefined };
}

interface Finding {
  found: Found;
  begun: DraftedAnswer;
  tables: TableDocument[];
  nearFallback: string | null;
}

async function find(search: Search): Promise<Finding> {
  const { deps, context, input, target, followUp, attribution, clock } = search;
  const { signal } = context;
  // The answer may read more passages than results are asked for.
  const limit = Math.max(input.top_k, ANSWER_DEPTH);
  const nowMs = input.as_of === undefined ? deps.now() : Date.parse(input.as_of);
  const text = followUp.context === '' ? input.query : `${followUp.context} ${input.query}`;
  const record = (event: EncodedEvent) => void search.usage.push(event);
  const question = await deps.vectors.embed(text, { attribution, signal, record });
  clock.lap('embed');
  const found = await deps.engines.read(target, async (open) => {
    const view = { ...target, visible: visibilityOf(target, open.closedVaults) };
    const filter = allOf([
      input.filters === undefined ? undefined : await compileFilter(open.tx, view, input.filters),
      target.spaceId === null ? undefined : { vaultIds: [target.vaultId] },
      open.closedVaults.size === 0 ? undefined : { not: { vaultIds: [...open.closedVaults] } },
    ]);
    const depth = Math.max(limit, deps.passages.ranking.depth);
    const near = await deps.vectors.find(open, target, question, { limit: depth, filter });
    const passages = await findPassages(open, deps.passages, target, {
      text: input.query,
      limit,
      filter,
      expansions: followUp.expansions,
      window: timeWindowOf(input.query, nowMs),
      near,
      explain: input.explain,
      onlyHits: input.filters !== undefined,
      signal,
    });
    const [contradictions, second] = await Promise.all([
      disagreementsAmong(search, open, passages.passages),
      takeSecondStep(search, open, passages.passages, filter),
    ]);
    const tables = followUp.context === '' ? await readTables(open, target, input.query, passages.passages) : [];
    return { ...passages, contradictions, ...second, tables };
  });
  clock.lap('search');
  const call = { attribution, signal, record, callTimeoutMs: deps.timeouts.rerankerMs };
  const reranked = await rerankByModel(deps.models, text, found.passages, call);
  clock.lap('rerank');
  return {
    found: { ...found, passages: reranked.passages },
    begun: reranked.isNew ? beginAnswer(search, reranked.passages) : found.begun,
    tables: found.tables,
    nearFallback: question.fallback ?? reranked.fallback,
  };
}

/** Begins the answer, and looks for what it leaves open in the same snapshot. */
async function takeSecondStep(
  search: Search,
  open: OpenMemory,
  passages: readonly FoundPassage[],
  filter: IndexFilter | undefined,
): Promise<{ begun: DraftedAnswer; further: FoundPassage[] }> {
  const begun = beginAnswer(search, passages);
  if (begun.open === null) return { begun, further: [] };
  const { target, input, context } = search;
  const asked = { text: begun.open.query, filter, explain: input.explain, signal: context.signal };
  return { begun, further: await findFurtherPassages(open, target, passages, asked) };
}

function beginAnswer({ deps, input, followUp }: Search, passages: readonly FoundPassage[]): DraftedAnswer {
  return beginExtractiveAnswer(input.query, passages.map(passageOf), {
    context: followUp.context,
    reader: deps.statements,
  });
}

/** Asks for what the best passages disagree about, and reads them for the answer while PostgreSQL looks. */
async function disagreementsAmong(
  { deps, target, input }: Search,
  { tx, closedVaults }: OpenMemory,
  passages: readonly FoundPassage[],
): Promise<Disagreement[]> {
  const keys = passages.map(({ chunk }) => ({ chunkId: chunk.chunk_id, docId: chunk.doc_id, body: chunk.body }));
  const asked = deps.passages.graph.disagreements(tx, target, {
    passages: keys.slice(0, DISAGREEMENT_DEPTH),
    hidden: closedVaults,
  });
  const reading = async () => readAhead(input.query, keys, deps.statements);
  const [disagreements] = await Promise.all([asked, reading()]);
  return disagreements;
}

async function* answerFrom(
  search: Search,
  sources: readonly CitedPassage[],
  extracted: ComposedAnswer,
): AsyncGenerator<SearchProgress, Outcome> {
  if (search.model === null || sources.length === 0) return yield* yieldExtracted(extracted, search.fallback);
  const { input, conversation, attribution, context } = search;
  const sentences = generateAnswer({
    model: search.model,
    question: input.query,
    passages: sources.map(({ passage }) => passage),
    turns: conversation?.turns ?? [],
    attribution,
    timeoutMs: search.deps.timeouts.answerMs,
    signal: context.signal,
    record: (event) => search.usage.push(event),
  });
  let text = '';
  let end: GenerationEnd;
  try {
    let next = await sentences.next();
    for (; next.done !== true; next = await sentences.next()) {
      for (const piece of piecesOf(text === '' ? next.value : ` ${next.value}`)) {
        text += piece;
        yield { kind: 'piece', text: piece };
      }
    }
    end = next.value;
  } finally {
    // Whoever stops reading stops the model.
    await sentences.return({ kind: 'not_answered' });
  }
  const reason = end.kind === 'failed' ? end.reason : end.kind === 'complete' && end.dropped > 0 ? 'unsupported' : null;
  if (text !== '') return { cited: citedOf(search, text, sources), text, generated: true, fallback: reason };
  if (end.kind !== 'not_answered') return yield* yieldExtracted(extracted, reason ?? 'unsupported');
  for (const piece of piecesOf(NOTHING_FOUND)) yield { kind: 'piece', text: piece };
  return { cited: [], text: NOTHING_FOUND, generated: true, fallback: null };
}

async function* yieldExtracted(
  extracted: ComposedAnswer,
  fallback: string | null,
): AsyncGenerator<SearchProgress, Outcome> {
  for (const text of extracted.pieces) yield { kind: 'piece', text };
  const cited = extracted.cited.map((one, index) => ({ ...one, number: index + 1 }));
  return { cited, text: extracted.text, generated: false, fallback };
}

/** What a generated answer cites, each source with the words of it that say most of what cites it. */
function citedOf({ deps, input }: Search, text: string, sources: readonly CitedPassage[]): Outcome['cited'] {
  return citedNumbers(text)
    .sort((a, b) => a - b)
    .map((number) => {
      const source = sources[number - 1]!;
      return { ...source, ...supportOf(text, number, source.passage, input.query, deps.statements), number };
    });
}

function citationOf({ passage, snippet, span }: CitedPassage, number: number, found: Found): Citation {
  const all = [...found.passages, ...found.further];
  const chunk = all.find((one) => one.chunk.chunk_id === passage.chunkId)?.chunk;
  return {
    citation_id: String(number),
    doc_id: passage.docId,
    chunk_id: passage.chunkId,
    title: passage.title,
    snippet,
    span,
    source_uri: chunk?.source_uri ?? null,
    occurred_at: chunk?.occurred_at?.toISOString() ?? null,
    score: passage.score,
  };
}

function bodyOf(
  search: Search,
  found: Found,
  passages: readonly Passage[],
  outcome: Outcome,
  extracted: ComposedAnswer,
): SearchBody {
  const { input, clock } = search;
  return {
    search_id: newId('search'),
    answer: outcome.text,
    generated: outcome.generated,
    citations: outcome.cited.map((one) => citationOf(one, one.number, found)),
    results: shownPassages(found, outcome, input.top_k).map(({ chunk, score, parts }) => ({
      chunk_id: chunk.chunk_id,
      doc_id: chunk.doc_id,
      title: chunk.title,
      text: chunk.body,
      score,
      vault_id: chunk.vault_id,
      source_uri: chunk.source_uri,
      occurred_at: chunk.occurred_at?.toISOString() ?? null,
      location: chunk.location,
      ...(parts === undefined ? {} : { explanation: explainScore(score, parts) }),
    })),
    entities: found.entities,
    contradictions: disagreementsOf(found, outcome, input.top_k),
    suggested_followups: suggestFollowups(input.query, passages, outcome.cited),
    confidence: extracted.confidence,
    fallback: outcome.fallback,
    thread_id: input.thread_id ?? null,
    timing_ms: clock.laps(),
  };
}

/** The best passages, and in the last places those of the second step that are cited. */
function shownPassages({ passages, further }: Found, { cited }: Outcome, topK: number): FoundPassage[] {
  const ids = new Set(cited.map(({ passage }) => passage.chunkId));
  const second = further.filter(({ chunk }) => ids.has(chunk.chunk_id)).slice(0, topK - 1);
  return [...passages.slice(0, topK - second.length), ...second];
}

/** What the shown sources disagree about, each with the citations that take a side, so that none hides the other. */
function disagreementsOf(found: Found, outcome: Outcome, topK: number): SearchBody['contradictions'] {
  const shown = new Set([
    ...found.passages.slice(0, topK).map(({ chunk }) => chunk.chunk_id),
    ...outcome.cited.map(({ passage }) => passage.chunkId),
  ]);
  return found.contradictions
    .filter((each) => each.facts.some((fact) => shown.has(fact.chunk_id)))
    .map((disagreement) => ({
      ...disagreement,
      citation_ids: outcome.cited
        .filter(({ passage }) => disagreement.facts.some((fact) => fact.chunk_id === passage.chunkId))
        .map(({ number }) => String(number)),
    }));
}
