import type { NameType } from '../../../../libs/reading/src/names/name-classifier.ts';
import type { NamedText } from './named-text.ts';

/** A token and its tag, as in CoNLL 2003: `O`, `B-` or `I-` before a type of its set. */
export interface TaggedToken {
  form: string;
  tag: string;
}

const TYPES: Readonly<Record<string, NameType>> = {
  PER: 'person',
  person: 'person',
  politician: 'person',
  musicalartist: 'person',
  scientist: 'person',
  writer: 'person',
  researcher: 'person',
  ORG: 'organisation',
  organisation: 'organisation',
  corporation: 'organisation',
  group: 'organisation',
  politicalparty: 'organisation',
  band: 'organisation',
  university: 'organisation',
  LOC: 'place',
  location: 'place',
  country: 'place',
  place: 'place',
};

const BRACKETS: Readonly<Record<string, string>> = {
  '-LRB-': '(',
  '-RRB-': ')',
  '-LSB-': '[',
  '-RSB-': ']',
  '``': '"',
  "''": '"',
};
const CLOSES = /^(?:[.,;:!?%)\]}…’]+|'s|'S|n't|'re|'ve|'ll|'d|'m|’s|'|\/|[-–])$/;
const OPENS = /^[([{$£€#/–-]$/;

/** Puts a tokenised sentence together again, and its names with it. */
export function rebuild(tokens: readonly TaggedToken[]): NamedText {
  let text = '';
  let glue = true;
  let quotes = 0;
  const places = tokens.map(({ form: raw }) => {
    const form = BRACKETS[raw] ?? raw;
    let blank = !glue && !CLOSES.test(form);
    if (form === '"' && quotes++ % 2 === 1) blank = false;
    if (blank) text += ' ';
    const start = text.length;
    text += form;
    glue = OPENS.test(form) || (form === '"' && quotes % 2 === 1);
    return { start, end: text.length };
  });
  return {
    text,
    spans: spansOf(
      tokens.map(({ tag }) => tag),
      places,
    ),
  };
}

export function spansOf(
  tags: readonly string[],
  places: readonly { start: number; end: number }[],
): NamedText['spans'] {
  const spans: NamedText['spans'] = [];
  let type = '';
  for (const [i, tag] of tags.entries()) {
    const name = tag === 'O' ? '' : tag.slice(2);
    const continues = name !== '' && name === type && !tag.startsWith('B-');
    if (continues) spans.at(-1)!.end = places[i]!.end;
    else if (name !== '') spans.push({ ...places[i]!, type: TYPES[name] ?? 'other' });
    type = name;
  }
  return spans;
}
