import type { Citation, Document, SearchAnswer } from '@cairn/sdk';
import { scopeOf, type Session } from './session.ts';
import { clipped, oneLine, printable } from './printable.ts';
import { bold, dim, showJson } from './show.ts';

const QUOTE_MAX_CHARS = 300;

/** The details of an answer's sources that are printed below their titles. */
export interface SourcePlaces {
  /** The path or address that a document was added as, by its id. */
  paths: ReadonlyMap<string, string>;
}

/** `cairn ask`: an answer with its sources, what contradicts it, and how sure it is. */
export async function askMemory(session: Session, words: readonly string[]): Promise<void> {
  const client = await session.client();
  const scope = await scopeOf(session);
  const answer = await client.search.query({ query: words.join(' '), ...scope });
  if (session.flags.json === true) return showJson(session, answer);
  const documents = await Promise.all(
    [...new Set(answer.citations.map(({ doc_id }) => doc_id))].map((id) =>
      // The key may be allowed to search and not to read documents; the title is there without that.
      client.documents.get(id, scope.memory_id === undefined ? {} : { memory_id: scope.memory_id }).catch(() => null),
    ),
  );
  for (const line of answerLines(answer, { paths: pathsOf(documents) }, session)) session.answer(line);
}

function pathsOf(documents: readonly (Document | null)[]): Map<string, string> {
  return new Map(
    documents.flatMap((document) => {
      const path = document?.external_id ?? document?.source_uri;
      return document === null || path === null || path === undefined ? [] : [[document.doc_id, path]];
    }),
  );
}

/** An answer as it is printed. */
export function answerLines(answer: SearchAnswer, places: SourcePlaces, colors: Pick<Session, 'color'>): string[] {
  const blocks = [
    [bold(colors, printable(answer.answer))],
    answer.citations.flatMap((citation) => sourceLines(citation, answer, places, colors)),
    // Those between passages that were only near say nothing about the answer.
    answer.contradictions.filter(({ citation_ids }) => citation_ids.length > 0).flatMap(contradictionLines),
    [aboutLine(answer)].map((line) => dim(colors, line)),
    answer.suggested_followups.map((question) => `  → ${oneLine(question)}`),
  ];
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function sourceLines(
  citation: Citation,
  { results }: Pick<SearchAnswer, 'results'>,
  { paths }: SourcePlaces,
  colors: Pick<Session, 'color'>,
): string[] {
  const result = results.find(({ chunk_id }) => chunk_id === citation.chunk_id);
  const heading = headingOf(result?.location ?? {}, citation.title);
  const path = paths.get(citation.doc_id) ?? citation.source_uri;
  const name = [oneLine(citation.title), heading].filter((part) => part !== '').join(' › ');
  return [
    `  [${citation.citation_id}] ${name}${path === null || path === '' ? '' : dim(colors, `  (${oneLine(path)})`)}`,
    `      “${clipped(oneLine(citation.snippet), QUOTE_MAX_CHARS)}”`,
  ];
}

/** The heading above a passage, or the sheet or page that it is on. */
export function headingOf({ heading, page, sheet }: Readonly<Record<string, unknown>>, title: string): string {
  // The first heading of a document often is its title.
  if (typeof heading === 'string' && heading !== title) return oneLine(heading);
  if (typeof sheet === 'string') return oneLine(sheet);
  return typeof page === 'number' ? `page ${page}` : '';
}

function contradictionLines(found: SearchAnswer['contradictions'][number]): string[] {
  const cited = found.citation_ids.map((id) => `[${id}]`).join(' ');
  return [
    `  ! The sources disagree on ${oneLine(found.entity.name)}: ${oneLine(found.relation).replaceAll('_', ' ')} ${cited}`,
    ...found.facts.map(({ value, quote }) => `      ${oneLine(value)}: “${oneLine(quote)}”`),
  ];
}

function aboutLine({ confidence, generated, fallback }: SearchAnswer): string {
  const author = generated
    ? 'written by a model and checked against the sources'
    : 'sentences of the sources, not written by a model';
  const why = fallback === null ? '' : ` (${fallback.replaceAll('_', ' ')})`;
  return `Confidence ${confidence.toFixed(2)}; ${author}${why}.`;
}
