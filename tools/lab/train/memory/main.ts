import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { learnedSource } from './learned-source.ts';
import { trainAnswers } from './train-answers.ts';
import { type Judge, readTrainingSets } from './training-set.ts';

/**
 * Fits the weights of answers without a model to questions with what a search found for them, and says what each
 * collection gets from weights that were fitted without it:
 *
 *     node tools/lab/train/memory/main.ts <folder> --scorer <module with scoreAnswer> [--write]
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { scorer: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined || values.scorer === undefined)
  throw new Error('Usage: node tools/lab/train/memory/main.ts <folder> --scorer <module> [--write]');
const { scoreAnswer } = (await import(pathToFileURL(resolve(values.scorer)).href)) as { scoreAnswer: Judge };
const trained = trainAnswers(await readTrainingSets(folder), scoreAnswer);
process.stdout.write(`${trained.report}\n`);
const target = join(import.meta.dirname, '../../../../apps/memory/src/search/answer/learned-weights.ts');
if (values.write) await writeFile(target, learnedSource(trained.weights));
