import type { ParseFailureCode, TextChunk } from '@cairn/documents';
import type { DlpPolicy, FindingKind } from '@cairn/screening';

/** One document for a worker process. */
export interface DocumentToPrepare {
  content: string | Uint8Array;
  fileName: string;
  mediaType: string;
  title: string | null;
  metadata: Record<string, unknown>;
  url: string | null;
  policy: DlpPolicy;
  /** True when the document is to be routed by its words. */
  withTerms: boolean;
}

export interface MaskCount {
  kind: FindingKind;
  count: number;
}

/** A document as it may be stored: read, screened, cut. Nothing in it was not screened. */
export interface PreparedDocument {
  ok: true;
  title: string;
  mediaType: string;
  metadata: Record<string, unknown>;
  url: string | null;
  occurredAt: string | null;
  chunks: TextChunk[];
  masked: MaskCount[];
  /** Words and how often, for routing. */
  terms: [term: string, count: number][];
}

export type PrepareFailureCode = ParseFailureCode | 'reading_timed_out' | 'needs_too_much_memory';

/** A document that cannot be read: why, and what it may be called. */
export interface UnreadableDocument {
  ok: false;
  code: PrepareFailureCode;
  message: string;
  title: string;
  url: string | null;
}

export type PrepareOutcome = PreparedDocument | UnreadableDocument;
