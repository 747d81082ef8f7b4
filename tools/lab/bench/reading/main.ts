import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSection } from '../../measurement/page.ts';
import { loadModel } from '../../../../libs/reading/src/learned/model.ts';
import { measureFacts, withoutKnowledgeNet } from './facts.ts';
import { measureLinks } from './links.ts';
import { measureNames } from './names.ts';
import { measureParagraphs } from './paragraphs.ts';
import { factsSection, linksSection, namesSection, paragraphsSection } from './report.ts';
import { loadScorers } from './scorers.ts';

/**
 * Measures the reader with the scorers of a data folder and writes docs/measurements/reading.md:
 *
 *     npm run eval -- --data DIR --sets extraction
 *     node tools/lab/bench/reading/main.ts --data DIR [--parts facts,links,names,paragraphs] [--model FILE]
 *       [--sample FILE --seed N]
 */
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const PAGE = join(ROOT, 'docs', 'measurements', 'reading.md');
const ENGLISH_MODEL = join(ROOT, 'libs', 'reading', 'model', 'english.model');

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    parts: { type: 'string', default: 'facts,links,names,paragraphs' },
    model: { type: 'string', default: ENGLISH_MODEL },
    sample: { type: 'string' },
    seed: { type: 'string', default: '20' },
    'no-report': { type: 'boolean', default: false },
  },
});
if (values.data === undefined) throw new Error('--data names the folder of evaluation data');
const data = resolve(values.data);
const parts = new Set(values.parts.split(','));
// The scorers of the folder look there for their sets.
process.env['DATA'] = join(data, 'extraction');
const scorers = await loadScorers(data);
const model = loadModel(readFileSync(values.model));

if (parts.has('facts')) {
  const unseen = withoutKnowledgeNet(model, scorers);
  await report('facts', factsSection(measureFacts(model, scorers), measureFacts(unseen, scorers)));
}
if (parts.has('links')) await report('links', linksSection(measureLinks(model, scorers)));
if (parts.has('names')) await report('names', namesSection(measureNames(model, scorers)));
if (parts.has('paragraphs')) {
  const figures = measureParagraphs(model, data, Number(values.seed));
  if (values.sample !== undefined) writeFileSync(values.sample, `${figures.sample.join('\n')}\n`);
  await report('paragraphs', paragraphsSection(figures));
}

async function report(name: string, section: string): Promise<void> {
  process.stdout.write(`${section}\n\n`);
  if (!values['no-report']) await writeSection(PAGE, 'Reading', name, section);
}
