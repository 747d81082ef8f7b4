import type { CriterionKind } from './criteria.ts';

/** A quote of a source about one person or company. */
export interface ProfileQuote {
  source_id: string;
  title: string;
  uri: string | null;
  quote: string;
  start: number;
}

/** Something a profile says, with where it says it. */
export interface Fact {
  kind: CriterionKind | 'email' | 'website';
  value: string;
  /** False: it was so once. */
  current: boolean;
  /** 1 for a field of a table, less for what prose says. */
  confidence: number;
  quote: ProfileQuote;
}

/** What one place of one source says of one person or company. */
export interface Profile {
  name: string;
  facts: Fact[];
  /** Everything that is said, for conditions that no fact covers. */
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
