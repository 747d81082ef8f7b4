import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseGlossary } from './glossary.ts';
import { someForm } from './inflections.ts';

export interface Vocabulary {
  terms: ReadonlySet<string>;
  /** Terms included. */
  words: ReadonlySet<string>;
  /** Irregular ones, which no rule finds. */
  participles: ReadonlySet<string>;
  /** A word that names do not have → the word or term to use instead. */
  synonyms: ReadonlyMap<string, string>;
}

const GLOSSARY = 'docs/glossary.md';
/** The lists are beside this file: words that every engineer knows, and words of the fields that Cairn works in. */
const LISTS = ['programming.txt', 'platform.txt', 'language.txt', 'participles.txt'];

export function readVocabulary(root: string): Vocabulary {
  const path = join(root, GLOSSARY);
  const glossary = parseGlossary(existsSync(path) ? readFileSync(path, 'utf8') : '');
  const listed = LISTS.flatMap(readList);
  return {
    terms: glossary.terms,
    words: new Set([...glossary.terms, ...listed]),
    participles: new Set(readList('participles.txt')),
    synonyms: new Map([...glossary.synonyms, ...readSynonyms()]),
  };
}

export function isKnown({ words }: Vocabulary, word: string): boolean {
  return someForm(word, (form) => words.has(form));
}

/** "measured", unless it is a word of its own, as "feed" is. */
export function isParticiple(vocabulary: Vocabulary, word: string): boolean {
  if (vocabulary.participles.has(word)) return true;
  return word.endsWith('ed') && !vocabulary.words.has(word) && isKnown(vocabulary, word);
}

function readList(file: string): string[] {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
}

/** Lines such as `slot: room seat`: the word to use, and others for it. */
function readSynonyms(): [string, string][] {
  return readList('synonyms.txt').flatMap((line) => {
    const [word = '', others = ''] = line.split(': ');
    return others.split(' ').map((other): [string, string] => [other, word]);
  });
}
