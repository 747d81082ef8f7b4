import type { Sentence } from '../../text/sentences.ts';
import type { EntityClass, NameSpan } from './names.ts';
import { classOfPhrase } from './phrases.ts';
import type { Statement } from './statement.ts';
import { type ReadValue, textValue } from './values.ts';

/** A sentence with the names found in it; places are those of the chunk. */
export interface ReadSentence extends Sentence {
  names: readonly NameSpan[];
}

/** A statement before the sentence's own times are added to it. */
export type FoundStatement = Omit<Statement, 'start' | 'end' | 'validFrom' | 'validTo' | 'negated'> & {
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

/** The first name right at `from`, after small words. */
export function nameAt(sentence: ReadSentence, from: number): NameSpan | null {
  const rest = sentence.text.slice(from);
  const skip = /^(?:\s|the\s|our\s|a\s|an\s|Mr\.?\s|Ms\.?\s|Mrs\.?\s|Dr\.?\s)*/.exec(rest)![0].length;
  const start = sentence.start + from + skip;
  return sentence.names.find((name) => name.start === start || (name.start < start && name.end > start)) ?? null;
}

/** The last name before `to`, with nothing but white space between. */
export function nameBefore(sentence: ReadSentence, to: number): NameSpan | null {
  const end = sentence.start + sentence.text.slice(0, to).trimEnd().length;
  return sentence.names.find((name) => name.end === end) ?? null;
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

/** A statement whose value is somebody or something with a name. */
export function withName(
  subject: string,
  subjectClass: EntityClass,
  relation: string,
  object: NameSpan,
  confidence: number,
): FoundStatement {
  return {
    subject,
    subjectClass,
    relation,
    text: object.text,
    value: textValue(object.text),
    objectClass: object.class,
    confidence,
  };
}
