import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { collectPatterns, type FoundPattern } from './patterns/collect.ts';
import { CHECKER, judgePattern, type Judgement, matchesInTime } from './patterns/judge.ts';
import { isGenerated, readSourceFiles } from './source-files.ts';
import { report, type Violation } from './violation.ts';

/** A regular expression that may take longer than in proportion to its input, because that is bounded. */
interface PatternException {
  file: string;
  line: number;
  maxChars: number;
  reason: string;
}

export interface PatternReport {
  violations: Violation[];
  exceptions: PatternException[];
  /** What was found about each pattern that is linear, for the file that spares the next run the work. */
  proved: Map<string, Proof>;
}

type Proof = 'automaton' | 'fuzz';

const ROOT = join(import.meta.dirname, '..', '..');
/** What was proved before, by pattern; a pattern that is not in it is judged on the spot. */
const PROVED_FILE = join(import.meta.dirname, 'patterns', 'proved.json');
const CONCURRENT = 2;

/** Judges every regular expression of the product: each is linear, or bounded where it stands. */
export async function patternReport(
  root: string,
  known: ReadonlyMap<string, Proof> = new Map(),
): Promise<PatternReport> {
  const files = readSourceFiles(root).filter(({ path }) => !isGenerated(path));
  const found = collectPatterns(files);
  const judgements = await judgeAll(found, known);
  const result: PatternReport = { violations: [], exceptions: [], proved: new Map() };
  for (const pattern of found) {
    const judgement = pattern.source === null ? null : judgements.get(keyOf(pattern))!;
    if (judgement?.kind === 'linear') result.proved.set(keyOf(pattern), judgement.by);
    const message = objection(pattern, judgement);
    const { file, line, bound } = pattern;
    if (message !== null) result.violations.push({ file, line, message });
    else if (bound !== null) result.exceptions.push({ file, line, ...bound });
  }
  return result;
}

/** What is wrong with a pattern; null when nothing is. */
function objection({ source, flags, bound }: FoundPattern, judgement: Judgement | null): string | null {
  if (source === null || judgement === null)
    return 'a regular expression made of what is not constant cannot be judged; make its parts constants';
  if (judgement.kind === 'linear') return bound === null ? null : 'this pattern is linear and needs no bound';
  if (judgement.kind === 'unknown') return `not shown to be linear (${judgement.reason}): ${shown(source)}`;
  const attack = judgement.attack.pumps.map(({ pump }) => JSON.stringify(pump)).join(' and ');
  if (bound === null) return `${judgement.complexity} in repeated ${attack}: ${shown(source)}`;
  return matchesInTime(source, flags, judgement.attack, bound.maxChars)
    ? null
    : `${judgement.complexity}: ${bound.maxChars} characters of repeated ${attack} take too long`;
}

function shown(source: string): string {
  return source.length <= 80 ? `/${source}/` : `/${source.slice(0, 80)}…/`;
}

function keyOf({ source, flags }: FoundPattern): string {
  return `/${source}/${flags}`;
}

async function judgeAll(
  found: readonly FoundPattern[],
  known: ReadonlyMap<string, Proof>,
): Promise<Map<string, Judgement>> {
  const judgements = new Map<string, Judgement>();
  const waiting = new Map(found.filter(({ source }) => source !== null).map((pattern) => [keyOf(pattern), pattern]));
  for (const key of waiting.keys()) {
    const by = known.get(key);
    if (by === undefined) continue;
    judgements.set(key, { kind: 'linear', by });
    waiting.delete(key);
  }
  const queue = [...waiting];
  const judge = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      judgements.set(next[0], await judgePattern(next[1].source!, next[1].flags));
  };
  await Promise.all(Array.from({ length: CONCURRENT }, judge));
  return judgements;
}

function readProved(): Map<string, Proof> {
  if (!existsSync(PROVED_FILE)) return new Map();
  const { checker, proved } = JSON.parse(readFileSync(PROVED_FILE, 'utf8')) as { checker: string; proved: object };
  return checker === CHECKER ? new Map(Object.entries(proved)) : new Map();
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
  const { violations, exceptions, proved } = await patternReport(ROOT, readProved());
  if (values.write === true) {
    const sorted = Object.fromEntries([...proved].toSorted(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(PROVED_FILE, `${JSON.stringify({ checker: CHECKER, proved: sorted }, null, 2)}\n`);
  }
  for (const { file, line, maxChars, reason } of exceptions)
    process.stdout.write(`${file}:${line}: bounded to ${maxChars} characters: ${reason}\n`);
  process.stdout.write(`${proved.size} regular expressions are linear, ${exceptions.length} bounded\n`);
  process.exitCode = report('patterns', violations);
}

if (import.meta.main) void main();
