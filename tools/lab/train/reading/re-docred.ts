import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMONYM, type Lexicon } from '../../../../libs/reading/src/learned/lexicon.ts';
import type { NameType } from '../../../../libs/reading/src/names/name-classifier.ts';
import type { NamedText } from './named-text.ts';
import { rebuild } from './rebuild.ts';

interface Mention {
  sent_id: number;
  /** First token, and the one after the last. */
  pos: [number, number];
  type: string;
}

interface Document {
  sents: string[][];
  /** Entities, each with its mentions. */
  vertexSet: Mention[][];
}

const TYPES: Readonly<Record<string, NameType>> = { PER: 'person', ORG: 'organisation', LOC: 'place', MISC: 'other' };

/**
 * The documents of Re-DocRED (Tan et al. 2022), beginnings of articles of Wikipedia. Demonyms are places there, as in
 * "American composer"; the other sets and the reader count them as other names.
 */
export function readReDocred(sources: string, lexicon: Lexicon): NamedText[] {
  return ['dev', 'test'].flatMap((part) => {
    const path = join(sources, 'Re-DocRED', 'data', `${part}_revised.json`);
    return (JSON.parse(readFileSync(path, 'utf8')) as Document[]).map((document) => textOf(document, lexicon));
  });
}

function textOf({ sents, vertexSet }: Document, lexicon: Lexicon): NamedText {
  const types = sents.map((tokens) => tokens.map((): NameType | null => null));
  const begins = sents.map((tokens) => tokens.map(() => false));
  const mentions = vertexSet.flatMap((entity) => entity.map((mention) => ({ ...mention, type: typeOf(entity) })));
  // A name within another is left out.
  mentions.sort((a, b) => b.pos[1] - b.pos[0] - (a.pos[1] - a.pos[0]));
  for (const { sent_id: s, pos, type } of mentions) {
    const [first, to] = pos;
    const tokens = sents[s]!;
    const from = tokens[first] === 'the' && first + 1 < to ? first + 1 : first;
    if (type === null || types[s]!.slice(from, to).some((other) => other !== null)) continue;
    const demonym = type === 'place' && lexicon.has(tokens[to - 1]!.toLowerCase(), DEMONYM);
    types[s]!.fill(demonym ? 'other' : type, from, to);
    begins[s]![from] = true;
  }
  const texts = sents.map((tokens, s) =>
    rebuild(
      tokens.map((form, i) => {
        const type = types[s]![i]!;
        return { form, tag: type === null ? 'O' : `${begins[s]![i] ? 'B' : 'I'}-${type}` };
      }),
    ),
  );
  return joined(texts);
}

/** What most of its mentions are called. */
function typeOf(entity: readonly Mention[]): NameType | null {
  const counts = [...Map.groupBy(entity, ({ type }) => type)].sort((a, b) => b[1].length - a[1].length);
  return TYPES[counts[0]![0]] ?? null;
}

function joined(texts: readonly NamedText[]): NamedText {
  let text = '';
  const spans: NamedText['spans'] = [];
  for (const sentence of texts) {
    if (text !== '') text += ' ';
    for (const { start, end, type } of sentence.spans)
      spans.push({ start: start + text.length, end: end + text.length, type });
    text += sentence.text;
  }
  return { text, spans };
}
