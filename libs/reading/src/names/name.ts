import type { NameType } from './name-classifier.ts';

/** A name by its tokens, before it has a type. `weak`: no detector marked it, only its capitals and its tag. */
export interface NameSpan {
  from: number;
  to: number;
  weak: boolean;
}

/** A name in a sentence, from token `from` until before `to`, and where it stands in the text. */
export interface Name {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly weak: boolean;
  type: NameType;
  /** By how much its type won the votes, in the typer's scores (thirtieths of log odds); what a clause says counts 80. */
  margin: number;
  /** The full name in this text of the person who is called so here, in lower case. */
  full: string | null;
  readonly key: string;
}
