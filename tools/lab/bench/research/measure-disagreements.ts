import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { noteFindings } from '../../../../apps/research/src/analysis/note-findings.ts';
import { createRequestReader } from '../../../../apps/research/src/request/parse-request.ts';
import { readingModel } from '../../../../apps/research/src/text/reading-model.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });

/** Two texts about a subject. */
interface Pair {
  kind: string;
  label: string;
  s: string;
  a: string;
  b: string;
}

/**
 * Counts the pairs of texts of which a report on their subject shows that they disagree:
 * `node tools/lab/bench/research/measure-disagreements.ts --data <folder with extraction/contradictions.dev.jsonl>`.
 */
function main(folder: string): void {
  const { understand } = createRequestReader(readingModel());
  const lines = readFileSync(join(folder, 'extraction', 'contradictions.dev.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const shown = new Map<string, { pairs: number; shown: number }>();
  for (const { kind, label, s: subject, a, b } of lines.map((line) => JSON.parse(line) as Pair)) {
    const sources = [a, b].map((body, i) => ({ source_id: `src_${i}`, title: `Note ${i + 1}`, body }));
    const { disagreements } = noteFindings(understand(`Write a report about ${subject}.`), sources);
    const count = shown.get(`${kind}, ${label}`) ?? { pairs: 0, shown: 0 };
    count.pairs += 1;
    if (disagreements.length > 0) count.shown += 1;
    shown.set(`${kind}, ${label}`, count);
  }
  for (const [name, count] of shown) process.stdout.write(`${name}: ${count.shown} of ${count.pairs}\n`);
}

if (values.data === undefined) throw new Error('say where the data is: --data <folder>');
main(values.data);
