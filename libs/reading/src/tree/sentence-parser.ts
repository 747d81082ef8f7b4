import type { ReadingModel } from '../learned/model.ts';
import { Vocabulary, type WordFeatures } from '../learned/words.ts';
import type { TextToken } from '../text/tokens.ts';
import { Labeller, tagKinds } from './labeller.ts';
import { Lemmatizer } from './lemmas.ts';
import { Parser } from './parser.ts';
import { repairTags, repairTree } from './repair.ts';
import type { ParsedSentence, Token } from './sentence.ts';
import { Tagger } from './tagger.ts';

/** What hangs in brackets on the word before them. */
export const BRACKETED = 'bracketed';

interface Analysis {
  tags: Int32Array;
  heads: Int32Array;
  labels: Int32Array;
}

interface Brackets {
  open: number;
  close: number;
  inside: number[];
}

/** From tokens to a tree. Keeps the forms it has met, so one parser serves a whole thread. */
export class SentenceParser {
  readonly vocabulary: Vocabulary;
  readonly lemmatizer: Lemmatizer;
  private readonly tagger: Tagger;
  private readonly parser: Parser;
  private readonly labeller: Labeller;
  private readonly tagNames: readonly string[];
  private readonly labelNames: readonly string[];
  private readonly bracketTag: number;

  constructor(model: ReadingModel) {
    this.vocabulary = new Vocabulary(model.lexicon);
    this.lemmatizer = new Lemmatizer(model.lexicon);
    this.tagger = new Tagger(model.tagger);
    this.parser = new Parser(model.parser);
    this.labeller = new Labeller(model.labeller, tagKinds(model.tags), model.arcs);
    this.tagNames = model.tags;
    this.labelNames = model.labels;
    this.bracketTag = Math.max(0, model.tags.indexOf('-LRB-'));
  }

  /**
   * Brackets are read by themselves, because what stands in them is no part of the clause around it: the tree of
   * their content hangs on the word before them.
   */
  parse(textTokens: readonly TextToken[]): ParsedSentence {
    const words = textTokens.map(({ form }) => this.vocabulary.word(form));
    const { outside, brackets } = splitBrackets(textTokens);
    const n = words.length;
    const tags = new Int32Array(n).fill(this.bracketTag);
    const heads = new Int32Array(n).fill(-1);
    const labels: string[] = Array.from({ length: n }, () => 'punct');
    this.place(outside, words, -1, tags, heads, labels);
    let root = 0;
    for (const i of outside) if (heads[i] === -1) root = i;
    const isOutside = new Uint8Array(n);
    for (const i of outside) isOutside[i] = 1;
    for (const { open, close, inside } of brackets) {
      let anchor = open - 1;
      while (anchor >= 0 && isOutside[anchor] === 0) anchor--;
      if (anchor < 0) anchor = outside.length > 0 ? root : -1;
      this.place(inside, words, anchor, tags, heads, labels);
      heads[open] = anchor;
      if (close >= 0) heads[close] = anchor;
    }
    return this.sentence(textTokens, words, tags, heads, labels);
  }

  private place(
    at: readonly number[],
    words: readonly WordFeatures[],
    anchor: number,
    tags: Int32Array,
    heads: Int32Array,
    labels: string[],
  ): void {
    if (at.length === 0) return;
    const { tags: t, heads: h, labels: l } = this.analyse(at.map((i) => words[i]!));
    for (const [k, i] of at.entries()) {
      const root = h[k]! >= at.length || h[k]! < 0;
      tags[i] = t[k]!;
      heads[i] = root ? anchor : at[h[k]!]!;
      labels[i] = root && anchor >= 0 ? BRACKETED : this.labelNames[l[k]!]!;
    }
  }

  analyse(words: readonly WordFeatures[]): Analysis {
    const tags = this.tagger.tag(words);
    repairTags(words, tags, this.tagNames);
    const heads = this.parser.heads(words, tags);
    return { tags, heads, labels: this.labeller.label(words, tags, heads) };
  }

  private sentence(
    textTokens: readonly TextToken[],
    words: readonly WordFeatures[],
    tags: Int32Array,
    heads: Int32Array,
    labels: readonly string[],
  ): ParsedSentence {
    const tokens: Token[] = textTokens.map(({ form, start, end }, index) => {
      const tag = this.tagNames[tags[index]!]!;
      const { lower } = words[index]!;
      const head = heads[index] === index ? -1 : heads[index]!;
      return {
        index,
        form,
        lower,
        start,
        end,
        tag,
        lemma: this.lemmatizer.lemma(lower, tag),
        noun: tag.charCodeAt(0) === 78,
        verb: tag.startsWith('VB'),
        head,
        label: labels[index]!,
        children: [],
      };
    });
    repairTree(tokens, this.lemmatizer);
    for (const token of tokens) if (token.head >= 0) tokens[token.head]!.children.push(token.index);
    return { start: tokens[0]!.start, end: tokens.at(-1)!.end, words, tags, tokens };
  }
}

/** The words outside of brackets, and those of each outermost pair. Brackets that do not close are plain tokens. */
function splitBrackets(tokens: readonly TextToken[]): { outside: number[]; brackets: Brackets[] } {
  const closing = tokens.filter(({ form }) => form === ')' || form === ']').length;
  const outside: number[] = [];
  const brackets: Brackets[] = [];
  let current: Brackets | null = null;
  let depth = 0;
  let left = closing;
  for (const [i, { form }] of tokens.entries()) {
    const closes = form === ')' || form === ']';
    if (closes) left--;
    if ((form === '(' || form === '[') && left > 0) {
      if (depth++ === 0) {
        current = { open: i, close: -1, inside: [] };
        brackets.push(current);
        continue;
      }
    } else if (closes && depth > 0 && --depth === 0) {
      current!.close = i;
      current = null;
      continue;
    }
    if (current === null) outside.push(i);
    else current.inside.push(i);
  }
  return { outside, brackets };
}
