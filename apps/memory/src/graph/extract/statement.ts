import type { EntityClass } from './entity-classes.ts';
import type { Value } from './values.ts';

/** A statement of a text, with the words that make it. Places are UTF-16 units of the chunk's text. */
export interface Statement {
  subject: string;
  subjectClass: EntityClass;
  relation: string;
  /** The value as it was written. */
  text: string;
  value: Value;
  /** Class of the entity that the value names; null when it names none. */
  objectClass: EntityClass | null;
  negated: boolean;
  /** 0 to 1. */
  confidence: number;
  start: number;
  end: number;
  /** Days, `YYYY-MM-DD`, when the text says since or until when it holds. */
  validFrom: string | null;
  validTo: string | null;
  /** The text says that it holds no longer. */
  ended: boolean;
}
