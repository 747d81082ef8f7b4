import type { Token } from '../tree/sentence.ts';
import { isSubject } from '../relations/view.ts';
import { Subtrees } from './subtrees.ts';

/** What a clause says in its own words, by the indices of its tokens: who, what, and what else. */
interface LinkTokens {
  subject: number[];
  predicate: number[];
  objects: number[][];
  confidence: number;
}

const DEPTH_MAX = 4;
const RELATIVES = new Set(['who', 'which', 'that']);
const NEGATIONS = new Set(['not', "n't", 'n’t', 'never']);
const ARGUMENTS = new Set('obj iobj obl obl:agent obl:tmod xcomp ccomp nmod advcl advmod'.split(' '));
const CLAUSES = new Set(['xcomp', 'ccomp', 'advcl']);
const INNER_ARGUMENTS = new Set('obj iobj obl obl:agent obl:tmod xcomp ccomp advmod nmod'.split(' '));
const NOT_IN_PREDICATE = new Set(
  'nsubj nsubj:pass nsubj:outer csubj acl:relcl parataxis advcl obl obl:agent obl:tmod mark conj cc punct case'.split(
    ' ',
  ),
);
const APPOSITION_REACH = 14;

/**
 * Open relations of a sentence, one for each clause, after ClausIE (Del Corro and Gemulla 2013): they are links
 * between phrases, not facts, for many of them are not quite what the sentence says.
 */
export function readLinks(tokens: readonly Token[]): LinkTokens[] {
  return new LinkReader(tokens).read();
}

class LinkReader {
  private readonly tokens: readonly Token[];
  private readonly trees: Subtrees;
  private readonly links: LinkTokens[] = [];
  /** Infinitives that are part of another verb's predicate. */
  private readonly merged = new Set<number>();

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.trees = new Subtrees(tokens);
  }

  read(): LinkTokens[] {
    for (const token of this.tokens) {
      const copulas = this.kids(token, (label) => label === 'cop');
      const clause =
        token.verb && !['cop', 'amod', 'case', 'compound'].includes(token.label) && !token.label.startsWith('aux');
      if (!clause && copulas.length === 0) continue;
      const subject = this.subjectOf(token.index, 0);
      if (subject === null) continue;
      if (this.merged.has(token.index)) continue;
      if (copulas.length > 0) this.copula(token, subject);
      else this.verb(token, subject);
    }
    this.appositions();
    return this.links.filter(
      ({ subject, predicate, objects }) => subject.length > 0 && predicate.length > 0 && objects.length > 0,
    );
  }

  private kids(token: Token, wanted: (label: string) => boolean): number[] {
    return token.children.filter((k) => wanted(this.tokens[k]!.label));
  }

  private listed(i: number): number[] {
    const members = [i];
    for (let at = 0; at < members.length; at++)
      members.push(...this.kids(this.tokens[members[at]!]!, (label) => label === 'conj'));
    return members;
  }

  private subjectOf(v: number, depth: number): number | null {
    if (depth > DEPTH_MAX || v < 0) return null;
    const token = this.tokens[v]!;
    const own = token.children.find((k) => isSubject(this.tokens[k]!.label));
    if (own !== undefined)
      return RELATIVES.has(this.tokens[own]!.lower) && token.label === 'acl:relcl' ? token.head : own;
    if (token.head < 0) return null;
    const head = this.tokens[token.head]!;
    switch (token.label) {
      case 'conj':
        return head.verb || head.children.some((k) => this.tokens[k]!.label === 'cop')
          ? this.subjectOf(token.head, depth + 1)
          : null;
      case 'acl':
      case 'acl:relcl':
        return token.head;
      case 'xcomp': {
        const object = head.children.find((k) => this.tokens[k]!.label === 'obj' && k < v);
        return object ?? this.subjectOf(token.head, depth + 1);
      }
      case 'advcl':
      case 'parataxis':
        return this.subjectOf(token.head, depth + 1);
      default:
        return null;
    }
  }

  private auxiliaries(token: Token): number[] {
    return token.children.filter((k) => {
      const { label, lower } = this.tokens[k]!;
      return label.startsWith('aux') || label === 'cop' || (label === 'advmod' && NEGATIONS.has(lower));
    });
  }

  /** "are generally characterized": an adverb right before the verb. */
  private adverbs({ index, children }: Token): number[] {
    const before = children.filter((k) => k < index && this.tokens[k]!.label === 'advmod');
    return before.filter(
      (k) => k === index - 1 && this.tokens[k]!.children.length === 0 && !NEGATIONS.has(this.tokens[k]!.lower),
    );
  }

  private copula(token: Token, subject: number): void {
    const words = this.trees.subject(subject);
    const predicate = this.auxiliaries(token).sort((a, b) => a - b);
    const body = this.trees.below(
      token.index,
      ({ index, label }) => NOT_IN_PREDICATE.has(label) || predicate.includes(index),
    );
    const prepositions = this.kids(token, (label) => label === 'case');
    const objects = [body, ...this.kids(token, (label) => label.startsWith('obl')).map((k) => this.trees.below(k))];
    const confidence = 0.8 - Math.min(0.3, body.length / 60);
    this.links.push({
      subject: words,
      predicate: [...predicate, ...prepositions].sort((a, b) => a - b),
      objects,
      confidence,
    });
    for (const k of this.kids(token, (label) => label === 'conj')) {
      const member = this.tokens[k]!;
      const own = this.kids(member, (label) => label === 'cop' || label.startsWith('nsubj'));
      if (own.length > 0 || member.verb) continue;
      const rest = this.trees.below(k, ({ label }) => ['cc', 'punct', 'acl:relcl', 'conj'].includes(label));
      this.links.push({ subject: words, predicate, objects: [rest], confidence: 0.55 });
    }
  }

  private verb(token: Token, subject: number): void {
    const { index: v, label } = token;
    const particles = this.kids(token, (of) => of === 'compound:prt');
    const predicate = [...this.auxiliaries(token), ...this.adverbs(token), v, ...particles];
    const objects = this.verbObjects(token, predicate);
    if (objects.length === 0) return;
    const words = objects.reduce((sum, list) => sum + list.length, 0);
    let confidence = 0.85 - 0.04 * (objects.length - 1) - Math.min(0.25, words / 80);
    if (label === 'acl' || label === 'xcomp' || label === 'advcl') confidence -= 0.15;
    if (label === 'ccomp') confidence -= 0.05;
    predicate.sort((a, b) => a - b);
    const who = this.trees.subject(subject, v);
    this.links.push({ subject: who, predicate, objects, confidence });
    const direct = this.kids(token, (of) => of === 'obj');
    if (direct.length === 1) {
      const members = this.listed(direct[0]!);
      if (members.length > 1)
        for (const k of members)
          this.links.push({ subject: who, predicate, objects: [this.trees.member(k)], confidence: confidence - 0.25 });
    }
    const subjects = this.listed(subject);
    if (subjects.length > 1)
      for (const k of subjects)
        this.links.push({ subject: this.trees.member(k), predicate, objects, confidence: confidence - 0.3 });
  }

  /** What a verb has beside it; the first preposition, or the verb of "wants to buy", goes to the predicate. */
  private verbObjects(token: Token, predicate: number[]): number[][] {
    const { index: v } = token;
    const wanted = token.children.filter((k) => this.isArgument(token, k));
    const after = wanted.filter((k) => k > v);
    const objects: number[][] = [];
    for (const [at, k] of after.entries()) {
      const { label, children } = this.tokens[k]!;
      const first = at === 0;
      if (label === 'advmod' && first && after.length > 1 && children.length === 0) continue;
      if (first && label === 'xcomp' && this.infinitive(k, predicate, objects)) continue;
      let words = this.argument(k);
      const that = label === 'ccomp' && first ? this.thatOf(k) : -1;
      if (that >= 0) {
        predicate.push(that);
        words = words.filter((i) => i !== that);
      }
      if (first && (label.startsWith('obl') || label === 'nmod')) {
        const prepositions = this.kids(this.tokens[k]!, (of) => of === 'case').filter((c) => c < k);
        predicate.push(...prepositions);
        words = words.filter((i) => !prepositions.includes(i));
      }
      objects.push(words);
    }
    for (const k of wanted) if (k < v && this.tokens[k]!.label.startsWith('obl')) objects.push(this.trees.below(k));
    return objects.filter((words) => words.length > 0);
  }

  private thatOf(k: number): number {
    return (
      this.tokens[k]!.children.find((c) => this.tokens[c]!.lower === 'that' && this.tokens[c]!.label === 'mark') ?? -1
    );
  }

  private isArgument(token: Token, k: number): boolean {
    const { label, lower, children, tag } = this.tokens[k]!;
    if (!ARGUMENTS.has(label)) return false;
    if (label === 'advmod') return !NEGATIONS.has(lower) && (children.length > 0 || tag.startsWith('RB'));
    return label !== 'advcl' || k > token.index;
  }

  private argument(k: number): number[] {
    const { label } = this.tokens[k]!;
    if (CLAUSES.has(label)) return this.trees.below(k);
    if (label === 'obj' || label === 'iobj') return this.trees.object(k);
    return this.trees.below(k, (child) => child.label === 'acl:relcl');
  }

  /** "wants to buy a house": the predicate is "wants to buy". */
  private infinitive(k: number, predicate: number[], objects: number[][]): boolean {
    const token = this.tokens[k]!;
    const to = token.children.find((c) => this.tokens[c]!.label === 'mark' && this.tokens[c]!.lower === 'to');
    if (to === undefined) return false;
    predicate.push(to, k);
    this.merged.add(k);
    const inner = this.kids(token, (label) => INNER_ARGUMENTS.has(label));
    for (const [at, c] of inner.entries()) {
      const { label } = this.tokens[c]!;
      let words = label === 'obj' || label === 'iobj' ? this.trees.object(c) : this.trees.below(c);
      if (at === 0 && label.startsWith('obl')) {
        const prepositions = this.kids(this.tokens[c]!, (of) => of === 'case').filter((i) => i < c);
        predicate.push(...prepositions);
        words = words.filter((i) => !prepositions.includes(i));
      }
      objects.push(words);
    }
    return true;
  }

  /** "X, a Norwegian painter": "is" between them, a word that the sentence lacks and the reader adds. */
  private appositions(): void {
    for (const token of this.tokens) {
      const { index, head, label } = token;
      if (label !== 'appos' || head < 0 || index - head >= APPOSITION_REACH || !token.noun) continue;
      const own = this.trees.below(index);
      const sign = this.tokens[own[0]! - 1]?.form;
      if (sign !== ',' && sign !== '-' && sign !== '--' && sign !== '–' && this.tokens[own[0]!]!.form !== ',') continue;
      const below = new Set(own);
      const subject = this.trees.member(head).filter((k) => k < index && !below.has(k));
      this.links.push({ subject, predicate: [IS], objects: [this.trees.subject(index)], confidence: 0.5 });
    }
  }
}

/** Stands in a predicate for "is" that the sentence does not have. */
export const IS = -1;
const EDGE_SIGNS = new Set(['.', ',', ';', ':', '-', '--', '–', '—', "'", '"', '`', '``', "''", '“', '”']);

/** The words of a list of indices, without punctuation at its ends. */
export function wordsOf(indices: readonly number[], form: (i: number) => string): string {
  let from = 0;
  let to = indices.length;
  const isSign = (at: number) => EDGE_SIGNS.has(indices[at] === IS ? 'is' : form(indices[at]!));
  while (to > from && isSign(to - 1)) to--;
  while (from < to && isSign(from)) from++;
  return indices
    .slice(from, to)
    .map((i) => (i === IS ? 'is' : form(i)))
    .join(' ');
}
