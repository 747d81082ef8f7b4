import type { NameRow } from '../store/name-store.ts';

const CLASS_ORDER = ['person', 'organisation', 'place', 'product', 'code'];

/** "Ada Krull's" is no other name than "Ada Krull"; McDonald's is, as long as nobody leaves it away. */
const POSSESSIVE = /['’]s$/;

/** What names of one entity show of it. */
export interface EntityLabel {
  name: string;
  type: string;
  aliases: string[];
}

/** A name of an entity, and how many statements its memory has about it, when its class is one of several. */
export type NameVariant = Pick<NameRow, 'forms' | 'class' | 'norm'> & { statements?: number };

/** A statement says what a name is; a mention alone only looks like something. */
const STATEMENT_WEIGHT = 5;

/**
 * The spelling that occurs most is the entity's name; ties go to the longer and then to the first by letters, so that
 * the same documents show the same name in whatever order they came. Its type is the class that most of its mentions have
 * and most of what is said of it supports. A name without a class is a `concept` when it is written small, and `other`
 * when not.
 */
export function presentNames(rows: readonly NameVariant[]): EntityLabel {
  const forms = new Map<string, number>();
  for (const row of rows)
    for (const [form, count] of Object.entries(row.forms)) forms.set(form, (forms.get(form) ?? 0) + count);
  const ordered = [...forms]
    .sort(([a, m], [b, n]) => n - m || b.length - a.length || (a < b ? -1 : 1))
    .map(([form]) => form)
    .filter((form) => !forms.has(form.replace(POSSESSIVE, '')) || !POSSESSIVE.test(form));
  const name = ordered[0] ?? rows[0]?.norm ?? '';
  const type = mostShown(rows) ?? (/\p{Lu}/u.test(name) ? 'other' : 'concept');
  return { name, type, aliases: ordered.slice(1) };
}

function mostShown(rows: readonly NameVariant[]): string | undefined {
  const counts = CLASS_ORDER.map((known) =>
    rows
      .filter((row) => row.class === known)
      .flatMap((row) => [...Object.values(row.forms), STATEMENT_WEIGHT * (row.statements ?? 0)])
      .reduce((sum, count) => sum + count, 0),
  );
  const most = Math.max(...counts);
  return most === 0 ? undefined : CLASS_ORDER[counts.indexOf(most)];
}
