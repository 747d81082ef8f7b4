import { splitName } from './split-name.ts';

interface Glossary {
  /** The words of its terms. */
  terms: Set<string>;
  /** What others call a term → the term. */
  synonyms: Map<string, string>;
}

const ENTRY = /^- \*\*(?<term>[^*]+)\*\*/;
const CODE_WORD = /[Ii]n the code: (?<words>[^.]*)/;
const ELSEWHERE = /; elsewhere (?<words>[^.]*)/;
const EMPHASIS = /_(?<word>[a-z]+)_/g;

/** Reads the entries of docs/glossary.md: `- **Engine**: …; elsewhere a _shard_. In the code: …`. */
export function parseGlossary(markdown: string): Glossary {
  const terms = new Set<string>();
  const synonyms = new Map<string, string>();
  for (const line of markdown.split('\n')) {
    const term = ENTRY.exec(line)?.groups?.['term'];
    if (term === undefined) continue;
    // What stands in brackets tells two terms of one name apart.
    const name = term.replace(/\([^()]*\)/g, '').trim();
    for (const word of splitName(name)) terms.add(word);
    for (const word of splitName(CODE_WORD.exec(line)?.groups?.['words'] ?? '')) terms.add(word);
    const elsewhere = ELSEWHERE.exec(line)?.groups?.['words'] ?? '';
    for (const { groups } of elsewhere.matchAll(EMPHASIS)) synonyms.set(groups!['word']!, name.toLowerCase());
  }
  return { terms, synonyms };
}
