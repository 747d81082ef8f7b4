import { plainText, type Statement, statementsOf } from '@cairn/language';
import { z } from 'zod';
import { type ParsedCriterion, type ListRequest } from './criteria.ts';
import { type Fact, type Profile, type ProfileQuote, type ProfileSource, quoteOf } from './profile.ts';
import { phraseFacts } from './sentence-facts.ts';
import { isPronoun, isWrittenAsName, namesSame, titleSubject, tokensOf } from './subjects.ts';

/** What a model reads out of numbered sources for a list. */
export const ModelEntries = z.object({
  entries: z
    .array(
      z.object({
        name: z.string().min(2).max(120),
        source: z.number().int(),
        values: z
          .array(
            z.object({
              field: z.string().min(1).max(80),
              value: z.string().min(1).max(200),
              quote: z.string().min(1).max(700),
            }),
          )
          .max(16),
      }),
    )
    .max(60),
});
export type ModelEntries = z.output<typeof ModelEntries>;

/** What a model may say of an entry, and which kind of fact it is then. */
export interface ModelField {
  name: string;
  kind: Fact['kind'];
}

export interface CheckedEntries {
  profiles: Profile[];
  /** Values that their source does not say of that name. */
  dropped: number;
}

/** What the source calls it: "former Australian politician". */
const CALLED = 'description';
/** Less than what rules read, so that those come first where both say something. */
const CONFIDENCE = 0.6;
const DENIED = /\b(?:not|never|no longer|without|neither|nor|unlike|except|denie[sd]|refused|failed)\b|n['’]t\b/i;
/** Between a name and what it is called these say that somebody else is. */
const OF_ANOTHER = /\b(?:of|for|with|by|to|under|from|against|like|than|whose|met|son|daughter|wife|husband)\b/i;
const LEANS = /^(?:he|she|it|they|his|her|its|their)\b/i;
const AS = /\bas(?: an?| the)?\s*$/;

/** The fields that a list's conditions and columns need. */
export function modelFields({ criteria, columns }: ListRequest): ModelField[] {
  const isClass = ({ kind }: ParsedCriterion) => kind === 'role' || kind === 'industry';
  const fields = [
    { name: CALLED, kind: 'class' },
    ...columns.map(({ name, attribute }) => ({ name, kind: attribute ?? `said:${name.replaceAll(' ', '_')}` })),
    ...criteria.filter((criterion) => !isClass(criterion)).map(({ kind }) => ({ name: kind, kind: factKind(kind) })),
  ];
  return fields.filter(({ name }, at) => fields.findIndex((field) => field.name === name) === at);
}

function factKind(kind: ParsedCriterion['kind']): string {
  const kinds: Partial<Record<ParsedCriterion['kind'], string>> = {
    birth_year: 'birth_date',
    death_year: 'death_date',
  };
  return kinds[kind] ?? kind;
}

/**
 * The entries whose source says every value in the model's quote, in a sentence that begins with the entry's name or
 * goes on about whom the text is about, and that denies nothing. The rest is left out.
 */
export function checkEntries(
  { entries }: ModelEntries,
  sources: readonly ProfileSource[],
  fields: readonly ModelField[],
): CheckedEntries {
  let dropped = 0;
  const kinds = new Map(fields.map(({ name, kind }) => [name, kind]));
  const statements = new Map(sources.map((source) => [source, statementsOf(source.body)]));
  const profiles = entries.flatMap(({ name, source: number, values }): Profile[] => {
    const source = sources[number - 1];
    if (source === undefined || !isNameIn(source, name)) {
      dropped += Math.max(1, values.length);
      return [];
    }
    const facts = values.flatMap(({ field, value, quote }): Fact[] => {
      const kind = kinds.get(field);
      const stated = statements.get(source)!.filter(({ text }) => within(text, quote) || within(quote, text));
      const said = stated.find((statement) =>
        says(statement, { name, value, kind: kind ?? '' }, () => titleSubject(source.title, statements.get(source)!)),
      );
      if (kind !== undefined && said !== undefined)
        return factsOf(kind, value.trim(), quoteOf(source, said.start, said.text));
      dropped += 1;
      return [];
    });
    if (facts.length === 0) return [];
    const quotes = [...new Map(facts.map(({ quote }) => [quote.start, quote])).values()];
    return [{ name: name.trim(), facts, statements: quotes }];
  });
  return { profiles, dropped };
}

/** A description says more than one thing: "Norwegian painter" a nationality, too. */
function factsOf(kind: Fact['kind'], value: string, quote: ProfileQuote): Fact[] {
  const described = kind === 'class' ? phraseFacts(value, quote, CONFIDENCE) : [];
  return described.length > 0 ? described : [{ kind, value, current: true, confidence: CONFIDENCE, quote }];
}

function isNameIn({ title, body }: ProfileSource, name: string): boolean {
  return isWrittenAsName(name.trim()) && (within(title, name) || within(body, name));
}

function says(
  { text: marked }: Statement,
  { name, value, kind }: { name: string; value: string; kind: string },
  subject: () => { name: string } | null,
): boolean {
  const text = plainText(marked);
  const at = plain(text).indexOf(plain(value));
  if (at < 0 || DENIED.test(text)) return false;
  const head = text.replace(/^(?:The|A|An)\s/, '').slice(0, name.length + 40);
  const tokens = tokensOf(name);
  const begins = tokensOf(head.split(/\s/, 1)[0]!).some((token) => tokens.includes(token));
  const leans = LEANS.test(text) || isPronoun(text.split(/\s/).slice(0, 2).join(' '));
  const main = leans ? subject() : null;
  if (
    !(begins && tokens.every((token) => tokensOf(head).includes(token))) &&
    !(main !== null && namesSame(main.name, name))
  )
    return false;
  if (kind !== 'class') return true;
  const between = plain(text).slice(leans ? 0 : plain(name).length, at);
  return AS.test(between) || !OF_ANOTHER.test(between);
}

/** Whether a text has the words of another in their order. */
function within(text: string, other: string): boolean {
  const wanted = plain(other);
  return wanted !== '' && ` ${plain(text)} `.includes(` ${wanted} `);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
