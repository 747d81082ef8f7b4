import type { WordFeatures } from '../learned/words.ts';

/** A token with its part of speech (Penn), its head and label (Universal Dependencies). */
export interface Token {
  readonly index: number;
  readonly form: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
  tag: string;
  lemma: string;
  noun: boolean;
  verb: boolean;
  /** The index of the head; −1 for the root. */
  head: number;
  label: string;
  readonly children: number[];
}

/** A sentence of a text: its tokens as one tree. */
export interface ParsedSentence {
  readonly start: number;
  readonly end: number;
  readonly words: readonly WordFeatures[];
  readonly tags: Int32Array;
  readonly tokens: readonly Token[];
}
