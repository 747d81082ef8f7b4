import type { Sentence } from '@cairn/language';
import type { NameSpan } from './names.ts';
import { classOfPhrase } from './phrases.ts';
import type { Statement } from './statement.ts';
import type { ReadValue } from './values.ts';

/** A sentence with the names found in it; places are those of the chunk. */
export interface ReadSentence extends Sentence {
  names: readonly NameSpan[];
}

/** A statement before the sentence's own times are added to it. */
export type FoundStatement = Omit<Statement, 'start' | 'end' | 'validFrom' | 'validTo' | 'ended' | 'negated'> & {
  negated?: boolean;
};

/** Reads what one kind of sentence states; nothing from any other. */
export type Pattern = (sentence: ReadSentence) => FoundStatement[];

/** Forms of auxiliary verbs, and adverbs after them, for the patterns. */
export const AUX = String.raw`(?:is|are|was|were|has been|have been|will be|must be|may be|can be|shall be|should be|being|get|gets)`;
export const ADVERB = String.raw`(?:\s(?:now|also|currently|always|still|only|then|normally|usually|automatically|directly|jointly|again|first|finally|officially))*`;

/** A name that lies within a part of the sentence. */
export function named(sentence: ReadSentence, from: number, to: number): NameSpan | null {
  const start = sentence.start + from;
  const end = sentence.start + to;
  return sentence.names.find((name) => name.start >= start && name.end <= end && name.class !== 'term') ?? null;
}

/** A statement whose value is an amount, a period, a date or a version. */
export function withValue(
  subject: string,
  names: readonly NameSpan[],
  relation: string,
  read: ReadValue,
  confidence: number,
): FoundStatement {
  return {
    subject,
    subjectClass: classOfPhrase(subject, names),
    relation,
    text: read.text,
    value: read.value,
    objectClass: null,
    confidence,
  };
}
