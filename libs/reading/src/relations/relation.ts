import type { NameType } from '../names/name-classifier.ts';
import type { DateValue } from '../text/dates.ts';
import type { Name } from '../names/name.ts';

/** What a relation is said of, or its value: a name, a date, or plain words. */
export interface Argument {
  text: string;
  type: NameType | 'date' | 'demonym' | 'amount' | null;
  start: number;
  end: number;
  value?: DateValue;
}

/** A noun phrase that stands for something named: by its name, a pronoun, or "the company". */
export interface Mention extends Argument {
  type: NameType;
  kind: 'name' | 'pronoun' | 'nominal';
  head: number;
  from: number;
  to: number;
  name: Name | null;
}

/** When a relation holds, as far as its sentence says. */
export interface Validity {
  /** The first day it holds; the day of the event, for what happened. */
  since?: string;
  until?: string;
  /** It is said to hold no longer ("former", "until"). */
  past?: boolean;
}

/** A statement read from one sentence, by a relation that has a name of the library's own or of its noun or verb. */
export interface Relation {
  subject: Argument;
  relation: string;
  object: Argument;
  /** A further value of the same event, such as an acquisition's price. */
  amount?: Argument;
  negated: boolean;
  /** By the verb's own word, not by a relation of the library's or by a noun: a link to look at, not a fact. */
  open: boolean;
  /** The subject or the object is a pronoun or "the company", resolved within the text. */
  resolved: boolean;
  confidence: number;
  validity: Validity;
  /** The sentence. */
  start: number;
  end: number;
  quote: string;
}
