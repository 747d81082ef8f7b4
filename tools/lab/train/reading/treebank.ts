import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface TreebankWord {
  form: string;
  lemma: string;
  universal: string;
  tag: string;
  /** The head's index; the number of words stands for the root. */
  head: number;
  label: string;
}

export interface TreebankSentence {
  id: string;
  words: TreebankWord[];
}

interface Treebank {
  train: TreebankSentence[];
  test: TreebankSentence[];
}

/** Labels whose subtype the reader uses; the others are cut to the universal part. */
const KEPT_SUBTYPES = new Set(
  'nsubj:pass nsubj:outer aux:pass obl:agent acl:relcl nmod:poss compound:prt nmod:desc'.split(' '),
);

function labelOf(label: string): string {
  if (label === 'obl:unmarked' || label === 'obl:tmod') return 'obl:tmod';
  if (label === 'nmod:unmarked' || label === 'nmod:tmod') return 'nmod:tmod';
  return KEPT_SUBTYPES.has(label) ? label : label.split(':')[0]!;
}

function parseConllu(text: string): TreebankSentence[] {
  const sentences: TreebankSentence[] = [];
  let id = '';
  let words: TreebankWord[] = [];
  const close = () => {
    for (const word of words) if (word.head < 0) word.head = words.length;
    if (words.length > 0) sentences.push({ id, words });
    words = [];
  };
  for (const line of text.split('\n')) {
    if (line === '') close();
    else if (line.startsWith('# sent_id')) id = line.slice(line.indexOf('=') + 1).trim();
    if (line === '' || line.startsWith('#')) continue;
    const [number, form, lemma, universal, tag, , head, label] = line.split('\t');
    if (number!.includes('-') || number!.includes('.')) continue;
    words.push({
      form: form!,
      lemma: lemma!.toLowerCase(),
      universal: universal!,
      tag: tag!,
      head: Number(head) - 1,
      label: labelOf(label!),
    });
  }
  close();
  return sentences;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.conllu'))
    .sort()
    .map((path) => join(folder, path));
}

/** The parts of GUM whose texts are under CC BY or in the public domain, as its licence says. */
const OPEN_GUM = /^GUM_(?:news|interview|bio|voyage|textbook|vlog|speech)_/;

/** A checkout of a treebank: its training part lies document by document in `not-to-release/sources`. */
function readTreebank(folder: string, prefix: string, wanted: (sentence: TreebankSentence) => boolean): Treebank {
  const part = (name: string) => parseConllu(readFileSync(join(folder, `${prefix}-ud-${name}.conllu`), 'utf8'));
  const test = part('test');
  const held = new Set([...test, ...part('dev')].map(({ id }) => id));
  const train = filesBelow(join(folder, 'not-to-release', 'sources'))
    .flatMap((path) => parseConllu(readFileSync(path, 'utf8')))
    .filter((sentence) => !held.has(sentence.id) && wanted(sentence));
  return { train, test: test.filter(wanted) };
}

export function readEwt(sources: string): Treebank {
  return readTreebank(join(sources, 'UD_English-EWT'), 'en_ewt', () => true);
}

export function readOpenGum(sources: string): Treebank {
  return readTreebank(join(sources, 'UD_English-GUM'), 'en_gum', ({ id }) => OPEN_GUM.test(id));
}
