import { z } from 'zod';
import { KEY_CLASSES } from '../extract/entity-classes.ts';
import type { ReadStatement } from '../extract/extraction.ts';
import { relationName } from '../extract/relations.ts';
import { readValue, textValue } from '../extract/values.ts';

const STATEMENTS_MAX = 40;
const QUOTE_MAX_CHARS = 600;
const NAME_MAX_CHARS = 200;
/** What a model states weighs less than what a table or a plain pattern states, and more than a loose one. */
const CONFIDENCE = 0.75;
const RELATION = /^[\p{L}\p{N}][\p{L}\p{N}_]{1,99}$/u;
const WHITE_SPACE = /\s/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What a model is asked for. */
export const ModelStatements = z.object({
  statements: z.array(
    z.object({
      subject: z.string().describe('The entity the statement is about, as the text writes it.'),
      subject_type: z.enum(KEY_CLASSES),
      relation: z.string().describe('Two or three words in snake_case, such as works_for, led_by, launch_date, price.'),
      object: z.string().describe('The other entity or the value, as the text writes it.'),
      object_type: z.enum([...KEY_CLASSES, 'value']),
      negated: z.boolean().describe('True when the text says that it is not so.'),
      quote: z.string().describe('The words of the text that say so, copied exactly.'),
      valid_from: z.string().nullable().describe('Day since when it holds, YYYY-MM-DD, if the text says so.'),
      valid_to: z.string().nullable(),
    }),
  ),
});
type ModelStatement = z.output<typeof ModelStatements>['statements'][number];

/**
 * Those statements that the text bears out: the quote stands in it, the value in the quote, the subject in the quote
 * or in the text with its titles. Whatever else a model says, instructions of the text included, is dropped.
 */
export function checkedStatements(
  said: readonly ModelStatement[],
  chunk: { title_path: string; body: string },
): ReadStatement[] {
  return said.slice(0, STATEMENTS_MAX).flatMap((one) => {
    const subject = one.subject.trim();
    const object = one.object.trim();
    const place = one.quote.length > QUOTE_MAX_CHARS ? null : placeOf(one.quote, chunk.body);
    const relation = relationName(one.relation.replaceAll('_', ' '));
    if (place === null || subject === '' || object === '' || !RELATION.test(relation)) return [];
    if (subject.length > NAME_MAX_CHARS || object.length > NAME_MAX_CHARS) return [];
    if (!holds(one.quote, object) || !holds(`${chunk.title_path}\n${chunk.body}`, subject)) return [];
    return [
      {
        subject,
        subjectClass: one.subject_type,
        relation,
        text: object,
        ...(one.object_type === 'value'
          ? { value: readValue(object)?.value ?? textValue(object), objectClass: null }
          : { value: textValue(object), objectClass: one.object_type }),
        negated: one.negated,
        confidence: CONFIDENCE,
        ...place,
        validFrom: dayOf(one.valid_from, chunk.body),
        validTo: dayOf(one.valid_to, chunk.body),
      },
    ];
  });
}

/** Where the words stand, whatever white space is between them. */
function placeOf(quote: string, body: string): { start: number; end: number } | null {
  const words = quote.trim().replace(/\s+/g, ' ');
  if (words === '') return null;
  const { text, places } = singleSpaced(body);
  const at = text.indexOf(words);
  return at < 0 ? null : { start: places[at]!, end: places[at + words.length - 1]! + 1 };
}

/** A text with its white space as single blanks, and where each of its units stood. */
function singleSpaced(body: string): { text: string; places: number[] } {
  const places: number[] = [];
  let text = '';
  for (let at = 0; at < body.length; at += 1) {
    const isSpace = WHITE_SPACE.test(body[at]!);
    if (isSpace && text.endsWith(' ')) continue;
    text += isSpace ? ' ' : body[at]!;
    places.push(at);
  }
  return { text, places };
}

function holds(text: string, part: string): boolean {
  const plain = (words: string) => words.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  return plain(text).includes(plain(part));
}

/** A day whose year the text names; others are a model's guess. */
function dayOf(day: string | null, body: string): string | null {
  if (day === null || !DAY.test(day) || Number.isNaN(Date.parse(day))) return null;
  return body.includes(day.slice(0, 4)) ? day : null;
}
