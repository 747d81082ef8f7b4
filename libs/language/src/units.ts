/** Codes of currencies (ISO 4217) by their signs, codes and English names in lower case. */
export const CURRENCY_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EUR: '€ eur euro euros',
    USD: '$ us$ usd dollar dollars',
    GBP: '£ gbp pounds',
    JPY: '¥ jpy yen',
    CHF: 'chf francs',
  }).flatMap(([code, forms]) => forms.split(' ').map((form) => [form, code] as const)),
);

/** Seconds of the units of time by their English names in the singular. A month is a twelfth of a Julian year. */
export const SECONDS_OF_UNIT: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    second: 1,
    minute: 60,
    hour: 3_600,
    day: 86_400,
    week: 604_800,
    fortnight: 1_209_600,
    month: 2_629_800,
    quarter: 7_889_400,
    year: 31_557_600,
  }),
);
