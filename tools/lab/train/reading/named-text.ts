import type { NameType } from '../../../../libs/reading/src/names/name-classifier.ts';

/** A text and the names in it, by UTF-16 offsets. */
export interface NamedText {
  text: string;
  spans: { start: number; end: number; type: NameType }[];
}
