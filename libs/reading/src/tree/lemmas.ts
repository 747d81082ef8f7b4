import type { Lexicon } from '../learned/lexicon.ts';

const DOUBLED = new Set('bdgmnprt');
const VOWELS = new Set('aeiou');

/** The form in the dictionary: the treebank's exceptions first, endings after them. Memoised, bounded. */
export class Lemmatizer {
  private readonly lexicon: Lexicon;
  private known = new Map<string, string>();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  lemma(lower: string, tag: string): string {
    const letter = tag.charCodeAt(0);
    if (letter !== 78 && letter !== 86) return lower;
    const key = `${tag} ${lower}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size > 50_000) this.known = new Map();
    const kind = letter === 78 ? 'N' : 'V';
    const lemma = this.lexicon.lemma(kind, lower) ?? (kind === 'N' ? singular(lower, tag) : infinitive(lower, tag));
    this.known.set(key, lemma);
    return lemma;
  }
}

export function singular(lower: string, tag: string): string {
  if (tag !== 'NNS') return lower;
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  if (['sses', 'shes', 'ches', 'xes'].some((ending) => lower.endsWith(ending))) return lower.slice(0, -2);
  if (lower.endsWith('men')) return `${lower.slice(0, -3)}man`;
  return lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower;
}

export function infinitive(lower: string, tag: string): string {
  if (tag === 'VBZ') {
    if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
    if (['sses', 'shes', 'ches', 'xes', 'oes'].some((ending) => lower.endsWith(ending))) return lower.slice(0, -2);
    return lower.endsWith('s') ? lower.slice(0, -1) : lower;
  }
  if (tag === 'VBG') return lower.endsWith('ing') ? stem(lower.slice(0, -3)) : lower;
  if (tag !== 'VBD' && tag !== 'VBN') return lower;
  if (lower.endsWith('ied')) return `${lower.slice(0, -3)}y`;
  return lower.endsWith('ed') ? stem(lower.slice(0, -2)) : lower;
}

const SILENT_E_AFTER = ['at', 'ur', 'ir', 'is', 'iz', 'nc', 'ng', 'rs', 'ns', 'rg', 'rc'];

/** Undoes the doubling of a consonant and the loss of a silent e. */
function stem(word: string): string {
  const last = word.at(-1) ?? '';
  const before = word.at(-2) ?? '';
  if (last === before && DOUBLED.has(last)) return word.slice(0, -1);
  if (word.endsWith('er') || word.endsWith('or') || word.endsWith('en')) return word;
  const silent =
    (VOWELS.has(before) && 'cgsuvzr'.includes(last) && last !== '') ||
    (last === 'l' && before !== '' && !VOWELS.has(before)) ||
    SILENT_E_AFTER.some((ending) => word.endsWith(ending));
  return silent ? `${word}e` : word;
}
