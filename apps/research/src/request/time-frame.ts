/** The years that a request is about; null where it sets no bound. */
export interface TimeFrame {
  from: number | null;
  to: number | null;
}

const YEAR = String.raw`(1[5-9]\d{2}|20\d{2}|21\d{2})`;
const BETWEEN = new RegExp(
  String.raw`\b(?:between|from) ${YEAR} (?:and|to|until|till) ${YEAR}\b|\b${YEAR} ?[-–] ?${YEAR}\b`,
  'i',
);
const SINCE = new RegExp(String.raw`\b(?:since|from|after|as of|starting in) (?:\p{L}{3,9} )?${YEAR}\b`, 'iu');
const UNTIL = new RegExp(String.raw`\b(?:before|until|till|up to|by) (?:\p{L}{3,9} )?${YEAR}\b`, 'iu');
const ANY = new RegExp(String.raw`(?<![\d.,/-])${YEAR}(?![\d-])`, 'g');

export function timeFrameOf(prompt: string): TimeFrame | null {
  const between = BETWEEN.exec(prompt);
  if (between !== null) return { from: Number(between[1] ?? between[3]), to: Number(between[2] ?? between[4]) };
  const since = SINCE.exec(prompt)?.[1];
  const until = UNTIL.exec(prompt)?.[1];
  if (since !== undefined || until !== undefined)
    return { from: since === undefined ? null : Number(since), to: until === undefined ? null : Number(until) };
  const years = [...prompt.matchAll(ANY)].map(([year]) => Number(year));
  return years.length === 0 ? null : { from: Math.min(...years), to: Math.max(...years) };
}
