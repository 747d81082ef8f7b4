import { statementsOf, plainText, type Statement } from '@cairn/text';
import { inverseFrequency } from '../text/rank.ts';
import { stemsOf } from '../text/words.ts';

const CHARS_MIN = 20;
const CHARS_MAX = 600;
const WORDS_MIN = 4;
/** Weight of words found only in the title or headings, relative to those in the statement itself. */
const CONTEXT_WEIGHT = 0.5;
/** Least share of the question's weight that a statement must cover together with its headings … */
const COVERAGE_MIN = 0.45;
const COVERAGE_FALLBACK = 0.3;
/** … and on its own. */
const OWN_COVERAGE_MIN = 0.2;
const REDUNDANT_OVERLAP = 0.75;
/** Says where something is said, not what. */
const POINTER =
  /^see (?:also )?|\b(?:is|are|see) (?:described |explained |those |listed )?(?:on|in|under) (?:the )?(?:page|pages|section|chapter)\b/i;

export interface ReadableSource {
  source_id: string;
  title: string;
  body: string;
}

export interface FoundStatement {
  source_id: string;
  title: string;
  start_at: number;
  quote: string;
  score: number;
}

/**
 * Finds the statements that answer a question best, scored by the weight of the question's words that they and their
 * headings cover (rare words weigh more). Of two similar statements in one source only the better is returned.
 */
export function findStatements(
  question: string,
  sources: readonly ReadableSource[],
  bounds: { perSourceMax: number; max: number },
): FoundStatement[] {
  const asked = [...new Set(stemsOf(question))];
  if (asked.length === 0) return [];
  const { candidates, all, counts } = candidatesFor(new Set(asked), sources);
  const weights = new Map(asked.map((stem) => [stem, inverseFrequency(counts.get(stem) ?? 0, all)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const scored = candidates
    .map((candidate) => {
      let own = 0;
      let context = 0;
      for (const [stem, weight] of weights) {
        if (candidate.stems.has(stem)) own += weight;
        else if (candidate.context.has(stem)) context += weight;
      }
      return { ...candidate, own: own / total, score: (own + CONTEXT_WEIGHT * context) / total };
    })
    .filter(({ own, score }) => score >= COVERAGE_FALLBACK && own >= OWN_COVERAGE_MIN)
    .sort((a, b) => b.score - a.score);
  // Weak matches are returned only when there are no strong ones.
  const least = (scored[0]?.score ?? 0) >= COVERAGE_MIN ? COVERAGE_MIN : COVERAGE_FALLBACK;
  const chosen: typeof scored = [];
  const perSource = new Map<string, number>();
  for (const candidate of scored) {
    if (chosen.length >= bounds.max || candidate.score < least) break;
    const id = candidate.source.source_id;
    const count = perSource.get(id) ?? 0;
    if (count >= bounds.perSourceMax) continue;
    const repeats = chosen.some(
      (other) => other.source.source_id === id && overlap(other.stems, candidate.stems) > REDUNDANT_OVERLAP,
    );
    if (repeats) continue;
    perSource.set(id, count + 1);
    chosen.push(candidate);
  }
  return chosen.map(({ source, statement, score }) => ({
    source_id: source.source_id,
    title: source.title,
    start_at: statement.start,
    quote: statement.text,
    score,
  }));
}

/** Statements that contain a word of the question. The others only count towards how rare its words are. */
function candidatesFor(asked: ReadonlySet<string>, sources: readonly ReadableSource[]) {
  const candidates: {
    source: ReadableSource;
    statement: Statement;
    stems: ReadonlySet<string>;
    context: ReadonlySet<string>;
  }[] = [];
  const counts = new Map<string, number>();
  let all = 0;
  for (const source of sources) {
    for (const statement of statementsOf(source.body)) {
      if (!isInformative(statement)) continue;
      all += 1;
      const stems = new Set(stemsOf(statement.text));
      const shared = [...asked].filter((stem) => stems.has(stem));
      for (const stem of shared) counts.set(stem, (counts.get(stem) ?? 0) + 1);
      if (shared.length === 0) continue;
      const context = new Set(stemsOf([source.title, ...statement.headings].join(' ')));
      candidates.push({ source, statement, stems, context });
    }
  }
  return { candidates, all, counts };
}

/** Whether a statement is informative on its own: no question, no label, no wall of text. */
export function isInformative({ text }: Pick<Statement, 'text'>): boolean {
  if (text.length > CHARS_MAX) return false;
  const plain = plainText(text);
  if (plain.length < CHARS_MIN || /\?\s*$/.test(plain)) return false;
  return plain.split(' ').length >= WORDS_MIN && !plain.endsWith(':') && !POINTER.test(plain);
}

/** Share of the smaller set that both contain. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const stem of small) if (large.has(stem)) shared += 1;
  return shared / small.size;
}
