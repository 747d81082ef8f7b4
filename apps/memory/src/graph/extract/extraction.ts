import type { KeyClass } from './entity-classes.ts';
import type { Statement } from './statement.ts';

/** What an entity is called, as far as one chunk says. */
export interface ExtractedName {
  norm: string;
  class: KeyClass;
  surface: string;
  count: number;
}

/**
 * A link between two names, by their place in the list of names; `weight` in hundredths. `start` and `end` place the
 * sentence of a link that no fact quotes, in UTF-16 units of the chunk's text.
 */
export interface ExtractedEdge {
  source: number;
  target: number;
  type: string;
  weight: number;
  start?: number;
  end?: number;
}

/** A statement about a name of the list. */
export interface ExtractedFact extends Omit<Statement, 'subjectClass' | 'objectClass'> {
  subjectName: number;
  /** The name that the value is; null for a plain value. */
  objectName: number | null;
}

/** What one chunk says: names, links and facts. Depends on the texts of its window alone. */
export interface Extraction {
  names: ExtractedName[];
  edges: ExtractedEdge[];
  facts: ExtractedFact[];
}

/** A statement of a model, in the shape of those that are read: places are those of the chunk's own text. */
export interface ReadStatement extends Omit<Statement, 'subjectClass' | 'objectClass' | 'ended'> {
  subjectClass: KeyClass;
  objectClass: KeyClass | null;
}

/** Rises when the same text is read otherwise, so that what was read before is read again. */
export const EXTRACTOR_VERSION = 10;
export const CO_OCCURS = 'co_occurs';
