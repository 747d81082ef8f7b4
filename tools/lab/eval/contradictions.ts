import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment, table } from '../measurement/page.ts';
import { callApi, ingestAll, type Target } from './through-http.ts';

/** Two texts of which it is known whether they contradict each other. */
export interface Pair {
  /** Where they come from. */
  doc: string;
  kind: string;
  label: 'contradicts' | 'agrees';
  /** Whom both are about. */
  s: string;
  a: string;
  b: string;
}

interface Found {
  n: number;
  /** Pairs that the API says disagree. */
  found: number;
  /** Of those, with a quote out of each of the two texts. */
  quoted: number;
}

interface Contradiction {
  facts: { doc_id: string; quote: string }[];
}

/** All pairs as documents of an installation: which of them its API says contradict each other, by kind and label. */
export async function measureContradictions(target: Target, folder: string): Promise<Map<string, Found>> {
  const text = await readFile(join(folder, 'extraction', 'contradictions.dev.jsonl'), 'utf8');
  const pairs = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Pair]));
  const figures = new Map<string, Found>();
  for (const [round, part] of independentGroups(pairs).entries()) {
    const documents = part.flatMap(({ a, b }, at) => [
      { id: `${at} a`, text: a },
      { id: `${at} b`, text: b },
    ]);
    const { memories, documentIds } = await ingestAll(target, { name: `contradictions ${round}`, documents });
    const said = await listContradictions(target, [...memories.values()][0]!);
    for (const [at, pair] of part.entries()) count(figures, pair, quotesOf(said, documentIds, at));
  }
  return figures;
}

/** Pairs of one subject or source go into different memories, so that each pair is judged by itself. */
export function independentGroups(pairs: readonly Pair[]): Pair[][] {
  const rounds: { keys: Set<string>; pairs: Pair[] }[] = [];
  for (const pair of pairs) {
    const keys = [`doc ${pair.doc}`, `subject ${pair.s.toLowerCase()}`];
    let round = rounds.find((each) => !keys.some((key) => each.keys.has(key)));
    if (round === undefined) rounds.push((round = { keys: new Set(), pairs: [] }));
    for (const key of keys) round.keys.add(key);
    round.pairs.push(pair);
  }
  return rounds.map((round) => round.pairs);
}

/** What is quoted of both texts of a pair, for each contradiction between them. */
function quotesOf(said: readonly Contradiction[], ids: ReadonlyMap<string, string>, at: number): [string, string][] {
  return said.flatMap(({ facts }) => {
    const quote = (side: string) => facts.find(({ doc_id }) => ids.get(doc_id) === `${at} ${side}`)?.quote;
    const [a, b] = [quote('a'), quote('b')];
    return a === undefined || b === undefined ? [] : [[a, b] satisfies [string, string]];
  });
}

function count(figures: Map<string, Found>, { kind, label, a, b }: Pair, quotes: readonly [string, string][]): void {
  const key = `${kind}, ${label}`;
  const one = figures.get(key) ?? { n: 0, found: 0, quoted: 0 };
  figures.set(key, one);
  one.n += 1;
  if (quotes.length > 0) one.found += 1;
  if (quotes.some(([first, second]) => first !== '' && second !== '' && a.includes(first) && b.includes(second)))
    one.quoted += 1;
}

async function listContradictions(target: Target, memoryId: string): Promise<Contradiction[]> {
  const all: Contradiction[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/v1/memory/contradictions?memory_id=${memoryId}&limit=100${from}`;
    const page = await callApi<{ contradictions: Contradiction[]; next_cursor?: string | null }>(target, 'GET', path);
    all.push(...page.contradictions);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

export function contradictionsReport(figures: ReadonlyMap<string, Found>): string {
  const rows = [...figures].map(([kind, { n, found, quoted }]) => [kind, String(n), String(found), String(quoted)]);
  return [
    '## Contradictions through the API',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder> --sets contradictions\`.`,
    '',
    'Both texts of a pair as documents, pairs about the same subject in different memories; what `GET /api/v1/memory/contradictions` then says of two documents of one pair.',
    '',
    table(['pairs', 'number', 'said to contradict', 'with a quote of both'], rows),
  ].join('\n');
}
