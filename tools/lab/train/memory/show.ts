import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answersPage } from './answers-page.ts';
import { readTrainingSets } from './training-set.ts';

/**
 * Writes a page of answers to questions of gathered sets, to be read by a person:
 *
 *     node tools/lab/train/memory/show.ts <folder of sets> --out <folder> [--sets python,bash] [--count 40]
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, sets: { type: 'string' }, count: { type: 'string', default: '40' } },
});
const [folder] = positionals;
if (folder === undefined || values.out === undefined)
  throw new Error(
    'Usage: node tools/lab/train/memory/show.ts <folder of sets> --out <folder> [--sets <names>] [--count <n>]',
  );
const wanted = values.sets?.split(',');
const sets = (await readTrainingSets(folder)).filter(({ name }) => wanted?.includes(name) ?? true);
const questions = sets.flatMap(({ own }) => own).slice(0, Number(values.count));
await mkdir(values.out, { recursive: true });
const page = join(values.out, 'answers.html');
await writeFile(page, answersPage(`${questions.length} answers without a model`, questions));
process.stdout.write(`${page}\n`);
