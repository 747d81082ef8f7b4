import { feature, hashText } from '../learned/hash.ts';
import { CITY, DEMONYM, FAMILY, GIVEN, kindOf, type Lexicon, PLACE } from '../learned/lexicon.ts';
import type { Scorer } from '../learned/linear-model.ts';
import { type WordFeatures, wordAt } from '../learned/words.ts';
import type { Token } from '../tree/sentence.ts';
import { isWholeQuotation } from './quotes.ts';

export const NAME_TYPES = ['person', 'organisation', 'place', 'other'] as const;
export type NameType = (typeof NAME_TYPES)[number];

const LEGAL_FORMS = new Set(
  (
    'inc ltd llc llp plc corp corporation company co gmbh ag kg se sa nv bv oy ab as spa pty limited incorporated ' +
    'inc. ltd. corp. co. l.p. s.a.'
  ).split(' '),
);
const LISTED = GIVEN | FAMILY | CITY | PLACE | DEMONYM;
/** Names have few words; of a longer span the first are looked at. */
const SPAN_MAX = 12;

/** What a name is called, from its words, the words around it, and its place in the tree. */
export class NameClassifier {
  private readonly scorer: Scorer;
  private readonly lexicon: Lexicon;
  private readonly rows = new Int32Array(192);
  private count = 0;

  constructor(scorer: Scorer, lexicon: Lexicon) {
    this.scorer = scorer;
    this.lexicon = lexicon;
  }

  /** A score for each of NAME_TYPES; the caller owns the array. `quoted`: what `quotations` says of the words. */
  scores(
    words: readonly WordFeatures[],
    tokens: readonly Token[],
    quoted: Int32Array,
    from: number,
    to: number,
  ): Float32Array {
    this.features(words, tokens, quoted, from, to);
    return Float32Array.from(this.scorer.score(this.rows, this.count));
  }

  train(
    words: readonly WordFeatures[],
    tokens: readonly Token[],
    quoted: Int32Array,
    from: number,
    to: number,
    learn: (rows: Int32Array, count: number) => void,
  ): void {
    this.features(words, tokens, quoted, from, to);
    learn(this.rows, this.count);
  }

  private on(template: number, a: number, b = 0): void {
    if (this.count < this.rows.length) this.rows[this.count++] = feature(template, a, b, 0, this.scorer.mask);
  }

  private features(
    words: readonly WordFeatures[],
    tokens: readonly Token[],
    quoted: Int32Array,
    from: number,
    to: number,
  ): void {
    this.count = 0;
    this.inside(words, from, Math.min(to, from + SPAN_MAX));
    this.around(words, from, to);
    this.inTree(tokens, from, to);
    if (quoted[from] !== 0) this.inQuotes(words, quoted, from, to);
  }

  private inQuotes(words: readonly WordFeatures[], quoted: Int32Array, from: number, to: number): void {
    const whole = isWholeQuotation(quoted, from, to);
    this.on(49, quoted[from]!, whole ? 1 : 0);
    if (!whole) return;
    const before = wordAt(words, from - 2);
    this.on(50, before.id);
    this.on(51, before.kind, before.capital);
    this.on(52, wordAt(words, to + 1).id);
  }

  private inside(words: readonly WordFeatures[], from: number, to: number): void {
    const first = words[from]!;
    const last = words[to - 1]!;
    const length = Math.min(5, to - from);
    const listed = (word: WordFeatures) => word.entry & LISTED;
    this.on(0, 0);
    this.on(1, length);
    this.on(2, first.id);
    this.on(3, last.id);
    this.on(4, last.suffix3, length);
    this.on(5, first.suffix3, length);
    this.on(6, last.suffix2);
    this.on(7, last.suffix4);
    this.on(8, first.prefix3);
    this.on(9, listed(first), length);
    this.on(10, listed(last), length);
    this.on(11, listed(first) * 128 + listed(last), length);
    this.on(12, last.kind, length);
    this.on(13, first.kind, length);
    this.on(14, first.shape, last.shape);
    this.on(15, last.shape, length);
    if (LEGAL_FORMS.has(last.lower)) this.on(16, 1);
    // "Charlotte Hornets"
    if (length > 1 && last.lower.endsWith('s')) this.on(53, listed(first), last.kind);
    let whole = first.lower;
    for (let i = from + 1; i < to; i++) whole += ` ${words[i]!.lower}`;
    this.on(17, hashText(whole));
    if (length > 1) this.on(18, this.lexicon.entry(whole) & (CITY | PLACE), length);
    for (let i = from; i < to; i++) {
      if (i > from && i < to - 1) this.on(19, words[i]!.id);
      if (words[i]!.capital === 0) this.on(20, words[i]!.id);
      this.on(21, words[i]!.kind, listed(words[i]!));
    }
  }

  private around(words: readonly WordFeatures[], from: number, to: number): void {
    const a = wordAt(words, from - 1);
    const b = wordAt(words, from - 2);
    const c = wordAt(words, to);
    const d = wordAt(words, to + 1);
    const length = Math.min(5, to - from);
    this.on(22, a.id);
    this.on(23, a.id, b.id);
    this.on(24, c.id);
    this.on(25, c.id, d.id);
    this.on(26, b.id);
    this.on(27, d.id);
    this.on(28, a.id, c.id);
    this.on(29, a.suffix3);
    this.on(30, c.suffix3);
    this.on(31, a.id, length);
    this.on(32, a.capital * 2 + c.capital, length);
  }

  private kindNumber(token: Token): number {
    return kindOf(this.lexicon.entry(token.lemma));
  }

  private inTree(tokens: readonly Token[], from: number, to: number): void {
    let at = from;
    for (let i = from; i < to; i++) if (tokens[i]!.head < from || tokens[i]!.head >= to) at = i;
    const token = tokens[at]!;
    const label = hashText(token.label);
    const head = token.head >= 0 ? tokens[token.head]! : null;
    this.on(33, label);
    for (const k of token.children) if (k < from || k >= to) this.child(tokens[k]!, label);
    if (head === null) return;
    const lemma = hashText(head.lemma);
    const kind = this.kindNumber(head);
    this.on(34, label, lemma);
    this.on(35, label, head.noun ? kind : 99);
    this.on(36, lemma);
    const preposition = token.children.find((k) => tokens[k]!.label === 'case');
    const word = preposition === undefined ? 0 : hashText(tokens[preposition]!.lower);
    switch (token.label) {
      case 'nsubj':
      case 'nsubj:pass':
        this.on(43, head.children.some((k) => tokens[k]!.label === 'cop') ? 1000 + kind : lemma, label);
        break;
      case 'compound':
      case 'flat':
      case 'appos':
        this.on(44, kind, label);
        break;
      case 'nmod:poss':
        this.on(45, kind, lemma);
        break;
      case 'nmod':
        this.on(46, word, kind);
        this.on(47, word, lemma);
        break;
      case 'obl':
        this.on(48, word, lemma);
        break;
      default:
    }
  }

  private child(token: Token, label: number): void {
    switch (token.label) {
      case 'case':
        this.on(37, hashText(token.lower), label);
        break;
      case 'appos':
      case 'acl':
      case 'acl:relcl':
        this.on(38, hashText(token.label), token.noun ? this.kindNumber(token) : hashText(token.lemma));
        break;
      case 'nmod':
      case 'nmod:poss':
      case 'compound':
        this.on(39, hashText(token.label));
        break;
      case 'cop':
        this.on(40, 1);
        break;
      case 'det':
        this.on(41, hashText(token.lower));
        break;
      case 'conj':
        this.on(42, 1);
        break;
      default:
    }
  }
}
