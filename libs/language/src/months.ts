/** English names of the months, in lower case, January first. */
export const MONTHS: readonly string[] = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Matches an English name of a month in full; for use in patterns with the flag `i`. */
export const MONTH_NAME_PATTERN =
  'january|february|march|april|may|june|july|august|september|october|november|december';

/** Matches an English name of a month in full or abbreviated, without its full stop. */
export const MONTH_PATTERN =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** The same in Dutch, English, French, German, Italian and Spanish, as far as dates of birth need them. */
export const EUROPEAN_MONTH_PATTERN =
  'jan(?:uary|uar|uari|vier)?|feb(?:ruary|ruar|ruari)?|fév(?:rier)?|mar(?:ch|s|zo)?|märz|maart|apr(?:il)?|avr(?:il)?|may|mai|mei|mayo|june?|juni?|juin|july?|juli|juillet|aug(?:ust|ustus)?|août|sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|dic(?:iembre)?|enero|abril';

/** Numbers of the months by their English names and abbreviations in lower case, with and without a full stop. */
export const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((month, index) =>
    [month, month.slice(0, 3), ...(month === 'september' ? ['sept'] : [])].flatMap((name): [string, number][] => [
      [name, index + 1],
      [`${name}.`, index + 1],
    ]),
  ),
);

/** 1 to 12 for an English name of a month or its abbreviation (`mar`, `sept.`), else 0: `Marc` is none. */
export function monthOf(name: string): number {
  return MONTH_NUMBERS.get(name.toLowerCase()) ?? 0;
}

/**
 * Numbers of months by their full and short names in the languages, lower case. A name that two languages give to
 * different months belongs to the first of them.
 */
export function monthNames(languages: Iterable<string>): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      // With a day beside it, so that inflected languages use the form that dates have.
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const part = format.formatToParts(Date.UTC(2024, month - 1, 1)).find(({ type }) => type === 'month');
        const name = part?.value.toLowerCase().replace(/\.$/, '') ?? '';
        if (/^[\p{L}\p{M}]{3,}$/u.test(name) && !names.has(name)) names.set(name, month);
      }
    }
  }
  names.set('sept', 9);
  return names;
}
