import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { Lexicon, type LexiconData } from '../../../../libs/reading/src/learned/lexicon.ts';
import type { Weights } from '../../../../libs/reading/src/learned/linear-model.ts';
import {
  encodeTable,
  type ModelHeader,
  modelOf,
  TABLE_NAMES,
  type TableName,
} from '../../../../libs/reading/src/learned/model.ts';
import { Vocabulary } from '../../../../libs/reading/src/learned/words.ts';
import { createReader } from '../../../../libs/reading/src/reader.ts';
import { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';
import { checkNames, splitTexts } from './check-names.ts';
import { measureTree } from './measure-tree.ts';
import { type NameSet, readNameSets } from './name-sets.ts';
import {
  type Example,
  exampleOf,
  arcLabels,
  jackknifedTags,
  trainLabeller,
  trainParser,
  trainTagger,
} from './train-tree.ts';
import { quantisedNames, trainNames } from './train-names.ts';
import { readTypedArguments } from './typed-arguments.ts';
import { readEwt, readOpenGum, type TreebankSentence } from './treebank.ts';
import { frequentTags, irregularLemmas } from './treebank-lists.ts';
import { readWordLists } from './word-lists.ts';

/**
 * Trains the reader's model from fetched sources and writes it as one file:
 *
 *     node tools/lab/train/reading/main.ts --sources DIR [--out FILE] [--treebanks ewt,gum] [--without wikigold]
 *       [--tree FILE]
 *
 * `--check` measures names on a fifth of their sets instead of writing a file.
 * `--tree` keeps the trained tree (tagger, parser, labels) in a file and uses it when it is there, so that names can be
 * trained again alone. docs/reading-model.md says what DIR holds.
 */
interface Trained {
  header: Omit<ModelHeader, 'tables'>;
  weights: Map<TableName, Weights>;
}

/**
 * Learned from twice: the only set of what people write to each other, without whose weight such names are found less
 * often; and the only one of whole documents, lest that weight be felt in prose.
 */
const TWICE: ReadonlySet<NameSet> = new Set<NameSet>(['wnut17', 're-docred']);

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const ENGLISH_MODEL = join(ROOT, 'libs', 'reading', 'model', 'english.model');

const say = (line: string) => process.stdout.write(`${line}\n`);

function trainTree(sources: string, treebanks: string[]): Trained {
  const banks = [
    ...(treebanks.includes('ewt') ? [{ name: 'EWT', bank: readEwt(sources) }] : []),
    ...(treebanks.includes('gum') ? [{ name: 'GUM, open genres', bank: readOpenGum(sources) }] : []),
  ];
  const train: TreebankSentence[] = banks.flatMap(({ bank }) => bank.train);
  const tags = [...new Set(train.flatMap(({ words }) => words.map(({ tag }) => tag)))].sort();
  const labels = [...new Set(train.flatMap(({ words }) => words.map(({ label }) => label)))].sort();
  const { words, cities, regions } = readWordLists(sources);
  const plain: LexiconData = { words, cities, regions, lemmas: irregularLemmas(train), tags: [] };
  const vocabulary = new Vocabulary(new Lexicon(plain));
  const examples: Example[] = train.map((sentence) => exampleOf(sentence, vocabulary, tags, labels));
  say(`${train.length} sentences, ${tags.length} tags, ${labels.length} labels, ${words.length} words in lists`);
  const tagger = trainTagger(examples, tags.length);
  say('tagger trained');
  const given = jackknifedTags(examples, tags.length);
  const parser = trainParser(examples, given);
  say('parser trained');
  const labeller = trainLabeller(examples, given, tags, labels.length);
  say('labels trained');
  const weights = new Map<TableName, Weights>([
    ['tagger', tagger.quantised(8, 0.08)],
    ['parser', parser.quantised(4, 0.1)],
    ['labeller', labeller.quantised(8, 0.08)],
  ]);
  const header = {
    format: 1 as const,
    tags,
    labels,
    arcs: arcLabels(examples),
    lexicon: { ...plain, tags: frequentTags(train, tags) },
  };
  for (const { name, bank } of banks) say(`${name}: ${measureTree(header, weights, bank.test)}`);
  return { header, weights };
}

/** With `check`, names are learned from four fifths of each set and measured on the last. */
function addNames({ header, weights }: Trained, sources: string, without: string[], check: boolean): void {
  const empty = (classes: number): Weights => ({ bits: 1, classes, values: new Int8Array(2 * classes) });
  const model = modelOf(header, new Map([...weights, ['detector', empty(3)], ['typer', empty(4)]]));
  const all = readNameSets(sources, without, model.lexicon);
  const sets = check ? all.map(({ set, texts }) => ({ set, texts: splitTexts(texts).train })) : all;
  say(sets.map(({ set, texts }) => `${set} ${texts.length}`).join(', '));
  const typed = without.includes('knowledge-net') ? [] : readTypedArguments(sources);
  const texts = sets.flatMap(({ set, texts }) => (TWICE.has(set) ? [...texts, ...texts] : texts));
  const { detector, typer } = quantisedNames(trainNames(texts, typed, new SentenceParser(model), model.lexicon));
  weights.set('detector', detector);
  weights.set('typer', typer);
  if (!check) return;
  const reader = createReader(modelOf(header, weights));
  for (const { set, texts: every } of all) {
    const { placeF1, typedF1 } = checkNames(reader, splitTexts(every).test);
    say(`${set}: places F1 ${placeF1.toFixed(1)}, with types F1 ${typedF1.toFixed(1)}`);
  }
}

function encode({ header, weights }: Trained): Buffer {
  const parts: Buffer[] = [];
  const tables: ModelHeader['tables'] = [];
  for (const name of TABLE_NAMES) {
    const table = weights.get(name);
    if (table === undefined) continue;
    const { gaps, values } = encodeTable(table);
    tables.push({ name, bits: table.bits, classes: table.classes, gaps: gaps.length, values: values.length });
    parts.push(gaps, values);
    say(`${name}: ${values.length} weights, ${compress(Buffer.concat([gaps, values]), 5).length} bytes compressed`);
  }
  const text = Buffer.from(JSON.stringify({ ...header, tables }));
  say(`lists: ${compress(text, 5).length} bytes compressed`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return compress(Buffer.concat([length, text, ...parts]), 11);
}

function compress(bytes: Buffer, quality: number): Buffer {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

function keepTree(path: string, make: () => Trained): Trained {
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Trained['header'] & {
      kept: [TableName, number, number, string][];
    };
    const { kept: tables, ...header } = kept;
    const weights = tables.map(([name, bits, classes, base64]): [TableName, Weights] => [
      name,
      { bits, classes, values: new Int8Array(Buffer.from(base64, 'base64')) },
    ]);
    return { header, weights: new Map(weights) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const made = make();
    const kept = [...made.weights].map(([name, { bits, classes, values }]) => [
      name,
      bits,
      classes,
      Buffer.from(values.buffer).toString('base64'),
    ]);
    writeFileSync(path, JSON.stringify({ ...made.header, kept }));
    return made;
  }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      sources: { type: 'string' },
      out: { type: 'string', default: ENGLISH_MODEL },
      treebanks: { type: 'string', default: 'ewt,gum' },
      without: { type: 'string', default: '' },
      tree: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
  });
  if (values.sources === undefined) throw new Error('--sources names the folder of fetched sources');
  const { sources } = values;
  const make = () => trainTree(sources, values.treebanks.split(','));
  const trained = values.tree === undefined ? make() : keepTree(values.tree, make);
  addNames(trained, sources, values.without.split(','), values.check);
  if (values.check) return;
  const bytes = encode(trained);
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, bytes);
  say(`${values.out}: ${bytes.length} bytes`);
}

if (import.meta.main) main();
