import type { TextSpan } from './locate-words.ts';

/** A retrieved chunk as the answer sees it, best first. */
export interface Passage {
  chunkId: string;
  docId: string;
  title: string;
  titlePath: string;
  body: string;
  score: number;
  /** When what it states happened or was said; null or missing when unknown. */
  occurredAtMs?: number | null;
}

export interface CitedPassage {
  passage: Passage;
  /** The words that support the claim. */
  snippet: string;
  /** Where the snippet stands in the passage's body; null for one that supports nothing yet. */
  span: TextSpan | null;
}

/** An answer whose `[n]` refer to `cited[n - 1]`; every citation is used. */
export interface ComposedAnswer {
  text: string;
  /** The same text in the pieces it is streamed in. */
  pieces: string[];
  cited: CitedPassage[];
  /** 0 to 1: how much of the question the best source carries. */
  confidence: number;
}
