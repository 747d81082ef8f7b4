import { areRelated } from './concepts.ts';
import { unitForm } from './read-numbers.ts';
import type { QuestionAnalysis } from './question-analysis.ts';
import type { Column } from './table.ts';

const UNIT_WORD =
  /^(?:€|\$|£|%|eur|euros?|usd|dollars?|gbp|pounds?|percent|minutes?|hours?|days?|seconds?|weeks?|months?|years?|kg|km|kilometres?|kilometers?|kilograms?|metres?|meters?|m|mm|cm|kw|pieces?|units?|tonnes?|litres?|liters?|degrees?|points?)$/;

export function isUnit(lower: string): boolean {
  return UNIT_WORD.test(lower);
}

/** A column that a number is compared with; null when the number, which ends there, is said in another unit than the column's. */
export function columnOfUnit(column: Column | null, { words }: QuestionAnalysis, end: number): Column | null {
  if (column === null || isScaledUnit(column)) return null;
  const sign = [words[end - 2], words[end - 1], words[end]].find(
    (word) => word !== undefined && /^[€$£]$/.test(word.text),
  );
  const behind = words[end];
  const said =
    sign?.text ??
    (behind !== undefined && isUnit(behind.lower) && !/^(?:pieces?|units?|points?|degrees?)$/.test(behind.lower)
      ? behind.lower
      : null);
  if (said === null || behind === undefined) return column;
  const own = column.unit === '' ? column.words.map(({ lower }) => unitForm(lower)) : [unitForm(column.unit)];
  if (own.includes(unitForm(said))) return column;
  const isOpen =
    column.unit === '' && !TIME.test(unitForm(said)) && column.words.some(({ root }) => areRelated(root, behind.root));
  return isOpen ? column : null;
}

const TIME = /^(?:s|min|h|d|week|month|year)$/;

/** `k€`, `in millions`: a number of the question is not one of thousands. */
function isScaledUnit({ name, unit }: Column): boolean {
  return (
    (/^(?:k|M|T|Mio\.?|tsd\.?|thousands?|millions?|bn|['’]?000)(?:\s?(?:[€$£]|[A-Z]{3}))?$/i.test(unit) &&
      !/^(?:m|t)$/.test(unit)) ||
    /(?:^|[\s_([])(?:thousands?|millions?|billions?|k€|keur|kusd|teur|mio|['’]000s?)(?:$|[\s_)\]])/i.test(name)
  );
}
