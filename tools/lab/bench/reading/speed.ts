import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, Worker } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { linksOf } from '../../../../libs/reading/src/links/links.ts';
import { loadShippedModel } from '../../../../libs/reading/src/shipped-model.ts';
import { NameReader } from '../../../../libs/reading/src/names/name-reader.ts';
import { readRelations } from '../../../../libs/reading/src/relations/read-relations.ts';
import { groupSentences, tokenize } from '../../../../libs/reading/src/text/tokens.ts';
import { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';

/**
 * Sentences a second of a core, stage by stage, in a worker thread:
 *
 *     npm run bench -- reading [--data DIR] [--rounds 5] [--no-report]
 *
 * With `--data`, HotpotQA's paragraphs; without, the handbook of the examples.
 */
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const PAGE = join(ROOT, 'docs', 'measurements', 'reading.md');
const STAGES = ['tokens and sentences', 'tags and trees', 'names', 'relations', 'links'] as const;

interface Round {
  sentences: number;
  tokens: number;
  /** Processor time of the thread by stage, in microseconds. */
  micros: number[];
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    'no-report': { type: 'boolean', default: false },
  },
});
if (isMainThread) await once(new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) }), 'exit');
else await measure();

async function measure(): Promise<void> {
  const texts = values.data === undefined ? handbook() : paragraphs(values.data);
  const source = values.data === undefined ? 'the handbook of the examples' : 'HotpotQA’s paragraphs';
  const section = speedSection(readAll(texts, Number(values.rounds)), source);
  process.stdout.write(`${section}\n`);
  if (!values['no-report']) await writeSection(PAGE, 'Reading', 'speed', section);
}

function handbook(): string[] {
  const folder = join(ROOT, 'examples', 'handbook');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => readFileSync(join(folder, file), 'utf8'));
}

function paragraphs(data: string): string[] {
  const lines = readFileSync(join(data, 'hotpotqa100', 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => (JSON.parse(line) as { text: string }).text);
}

function readAll(texts: readonly string[], rounds: number): Round[] {
  const model = loadShippedModel();
  const parser = new SentenceParser(model);
  const names = new NameReader(model);
  return Array.from({ length: rounds }, () => {
    const round: Round = { sentences: 0, tokens: 0, micros: STAGES.map(() => 0) };
    const timed = <T>(stage: number, work: () => T): T => {
      const before = process.threadCpuUsage();
      const result = work();
      const { user, system } = process.threadCpuUsage(before);
      round.micros[stage]! += user + system;
      return result;
    };
    const cut = timed(0, () => texts.map((text) => groupSentences(text, tokenize(text))));
    const parsed = timed(1, () => cut.map((sentences) => sentences.map((tokens) => parser.parse(tokens))));
    const named = timed(2, () => texts.map((text, i) => names.read(text, parsed[i]!)));
    timed(3, () => texts.map((text, i) => readRelations(text, parsed[i]!, named[i]!, model.lexicon)));
    timed(4, () => texts.map((text, i) => parsed[i]!.flatMap((sentence) => linksOf(text, sentence))));
    round.sentences = cut.reduce((sum, { length }) => sum + length, 0);
    round.tokens = cut.flat().reduce((sum, { length }) => sum + length, 0);
    return round;
  });
}

function speedSection(rounds: readonly Round[], source: string): string {
  const total = ({ micros }: Round, stages: number) => micros.slice(0, stages).reduce((sum, time) => sum + time, 0);
  const perSecond = (round: Round, stages: number) => Math.round((round.sentences * 1e6) / total(round, stages));
  const first = rounds[0]!;
  const best = rounds.toSorted((a, b) => total(a, STAGES.length) - total(b, STAGES.length))[0]!;
  const share = (micros: number, round: Round) => `${((100 * micros) / total(round, STAGES.length)).toFixed(0)} %`;
  const withoutLinks = rounds.map((round) => perSecond(round, STAGES.length - 1));
  return [
    '## Speed',
    '',
    `${environment()}. Command: \`npm run bench -- reading --data <folder>\`.`,
    '',
    `Processor time of one worker thread over ${source}: ${first.sentences} sentences of ${(first.tokens / first.sentences).toFixed(0)} tokens, read ${rounds.length} times. Without links, as a memory reads: ${withoutLinks[0]} sentences a second of a core in the first round, ${Math.max(...withoutLinks)} in the best, ${Math.min(...withoutLinks)} in the worst. With links, ${perSecond(best, STAGES.length)} in the best. What else the machine does shows in these figures, for it shares caches and memory.`,
    '',
    table(
      ['stage', 'µs a sentence, first round', 'best round', 'share of the best'],
      STAGES.map((stage, i) => [
        stage,
        (first.micros[i]! / first.sentences).toFixed(0),
        (best.micros[i]! / best.sentences).toFixed(0),
        share(best.micros[i]!, best),
      ]),
    ),
  ].join('\n');
}
