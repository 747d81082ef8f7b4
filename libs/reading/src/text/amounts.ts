import { CURRENCY_CODES, SCALES } from '@cairn/language';
import type { TextToken } from './tokens.ts';

const AROUND = 4;

function isNumber(form: string): boolean {
  const first = form.charCodeAt(0);
  return first >= 48 && first <= 57;
}

/** The amount of money whose head is at token `i`: "$75 million", "3 billion euros". */
export function amountAt(
  tokens: readonly TextToken[],
  text: string,
  i: number,
): { text: string; start: number; end: number } | null {
  const isPart = (k: number) => {
    const lower = tokens[k]?.form.toLowerCase() ?? '';
    return CURRENCY_CODES.has(lower) || isNumber(lower) || SCALES.has(lower);
  };
  if (!isPart(i)) return null;
  let from = i;
  let to = i + 1;
  while (from > 0 && i - from < AROUND && isPart(from - 1)) from--;
  while (to < tokens.length && to - i < AROUND && isPart(to)) to++;
  const parts = tokens.slice(from, to);
  const money = parts.some(({ form }) => CURRENCY_CODES.has(form.toLowerCase()));
  if (!money || !parts.some(({ form }) => isNumber(form))) return null;
  const { start } = tokens[from]!;
  const { end } = tokens[to - 1]!;
  return { text: text.slice(start, end), start, end };
}
