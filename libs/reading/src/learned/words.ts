import { classAt, DIGIT, isLetter, LETTER, MARK, UPPER } from '../text/characters.ts';
import { hashText } from './hash.ts';
import { kindOf, type Lexicon } from './lexicon.ts';

/** What the learned parts see of a form, computed once for each form. */
export interface WordFeatures {
  readonly form: string;
  readonly lower: string;
  readonly id: number;
  readonly shape: number;
  readonly suffix1: number;
  readonly suffix2: number;
  readonly suffix3: number;
  readonly suffix4: number;
  readonly prefix2: number;
  readonly prefix3: number;
  readonly capital: 0 | 1;
  /** May begin a name: a capital, a digit, or a capital after one or two small letters ("iPhone"). */
  readonly nameLike: boolean;
  readonly entry: number;
  readonly kind: number;
  /** The tags it bears in the treebank, when it is frequent there and not capitalised here. */
  readonly tags: readonly number[] | null;
}

const WORDS_MAX = 100_000;
/** Longer forms are no words; only their beginning and end count. */
const FORM_MAX_CHARS = 60;

const NEITHER = { entry: 0, kind: 0, tags: null, capital: 0, nameLike: false } as const;
const outside = (id: number): WordFeatures => ({
  ...NEITHER,
  form: '',
  lower: '',
  id,
  shape: id,
  suffix1: 3,
  suffix2: id,
  suffix3: id,
  suffix4: 3,
  prefix2: 3,
  prefix3: 3,
});
const BEFORE = outside(3);
const AFTER = outside(5);

export function wordAt(words: readonly WordFeatures[], i: number): WordFeatures {
  if (i < 0) return BEFORE;
  return i < words.length ? words[i]! : AFTER;
}

/** All forms met so far, bounded. */
export class Vocabulary {
  private readonly lexicon: Lexicon;
  private known = new Map<string, WordFeatures>();

  constructor(lexicon: Lexicon) {
    this.lexicon = lexicon;
  }

  word(form: string): WordFeatures {
    const known = this.known.get(form);
    if (known !== undefined) return known;
    if (this.known.size >= WORDS_MAX) this.known = new Map();
    const word = this.look(form);
    if (form.length <= FORM_MAX_CHARS) this.known.set(form, word);
    return word;
  }

  private look(form: string): WordFeatures {
    const lower = form.toLowerCase();
    const first = classAt(form, 0);
    const entry = this.entryOf(lower);
    return {
      form,
      lower,
      id: hashText(normal(form, lower)),
      shape: hashText(`s${shapeOf(form)}`),
      suffix1: hashText(`1${lower.slice(-1)}`),
      suffix2: hashText(`2${lower.slice(-2)}`),
      suffix3: hashText(`3${lower.slice(-3)}`),
      suffix4: hashText(`4${lower.slice(-4)}`),
      prefix2: hashText(`p${lower.slice(0, 2)}`),
      prefix3: hashText(`P${lower.slice(0, 3)}`),
      capital: first === UPPER ? 1 : 0,
      nameLike: first === UPPER || first === DIGIT || classAt(form, 1) === UPPER || classAt(form, 2) === UPPER,
      entry,
      kind: kindOf(entry),
      tags: first === UPPER ? null : (this.lexicon.tags(lower) ?? null),
    };
  }

  private entryOf(lower: string): number {
    const entry = this.lexicon.entry(lower);
    if (kindOf(entry) > 0 || !lower.endsWith('s')) return entry;
    const singular = kindOf(this.lexicon.entry(lower.slice(0, -1)));
    return entry | (singular << 7);
  }
}

/** Numbers of four digits are years, all others are alike. */
function normal(form: string, lower: string): string {
  let digits = 0;
  for (let i = 0; i < form.length && i < FORM_MAX_CHARS; i++) {
    const kind = classAt(form, i);
    if (kind === DIGIT) digits++;
    else if (form[i] !== '.' && form[i] !== ',') return lower.slice(0, FORM_MAX_CHARS);
  }
  if (digits === 0) return lower;
  return digits === 4 && form.length === 4 ? '!year' : '!num';
}

function shapeOf(form: string): string {
  let shape = '';
  for (let i = 0; i < form.length && shape.length <= 8 && i < FORM_MAX_CHARS; i++) {
    const kind = classAt(form, i);
    const sign = kind === UPPER ? 'X' : kind === LETTER || kind === MARK ? 'x' : kind === DIGIT ? 'd' : form[i]!;
    if (shape.length < 2 || !shape.endsWith(sign)) shape += sign;
  }
  return shape;
}

export function hasLetter(form: string): boolean {
  for (let i = 0; i < form.length; i++) if (isLetter(classAt(form, i))) return true;
  return false;
}
