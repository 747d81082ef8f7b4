import type { Attribute } from './attributes.ts';
import type { EntityKind } from './nouns.ts';

/** A quote about one person or company. */
export interface ProfileQuote {
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  start: number;
}

/** A fact of a profile and its quote. */
export interface Fact {
  /** `class` is what a text calls somebody, as a phrase: "former Australian politician". */
  kind: Attribute;
  value: string;
  /** False for a past fact. */
  current: boolean;
  /** 1 for a field of a table, less for prose. */
  confidence: number;
  quote: ProfileQuote;
}

/** What one place of one source says about one person or company. */
export interface Profile {
  name: string;
  /** Other names that the source says they have. */
  aliases?: readonly string[];
  /** What they are by their name and by what they are called: `other` for works, events and the like, null when nothing says. */
  kind?: EntityKind | 'other' | null;
  facts: Fact[];
  /** All statements, for conditions that no fact covers. */
  statements: ProfileQuote[];
}

export interface ProfileSource {
  source_id: string;
  title: string;
  uri: string | null;
  body: string;
}

export function quoteOf(source: ProfileSource, start: number, quote: string): ProfileQuote {
  return { source_id: source.source_id, title: source.title, uri: source.uri, quote, start };
}
