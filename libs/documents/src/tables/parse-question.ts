import { areRelated, isFiller, isGenericNoun, isRelatingVerb, isPersonColumn } from './concepts.ts';
import type { Condition, Measure, TableQuery } from './query.ts';
import { readComparisons } from './read-comparisons.ts';
import { readPeriods } from './read-periods.ts';
import { isAdditive } from './additive.ts';
import { readMeasure } from './read-measure.ts';
import { readPartOfValue, readValueConditions } from './read-values.ts';
import { coversQuestion } from './question-coverage.ts';
import { isRowNoun } from './row-nouns.ts';
import { columnAt, type Mention, analyseQuestion, type QuestionAnalysis, markUsed } from './question-analysis.ts';
import { type Ordering, readLimit, readOrdering } from './superlatives.ts';
import type { Column, Table } from './table.ts';

/**
 * The query that a question puts to a table, or null when a word of it with a meaning of its own is left over: an
 * answer to a part of the question would look like one to all of it.
 */
export function parseQuestion(question: string, table: Table): TableQuery | null {
  const reading = analyseQuestion(question, table);
  if (reading.words.length < 2) return null;
  const values = readValueConditions(reading);
  if (values === null) return null;
  const periods = readPeriods(reading);
  if (periods === null) return null;
  const comparisons = readComparisons(reading);
  if (comparisons === null) return null;
  const conditions: Condition[] = [
    ...values,
    ...periods,
    ...comparisons,
    ...readPartOfValue(reading),
    ...readFlags(reading),
  ];
  const ordering = readOrdering(reading);
  if (ordering === 'unclear') return null;
  const grouped = readGroup(reading);
  const measure = readMeasure(reading, conditions, ordering);
  if (measure === null) return null;
  const limit = ordering === null ? null : readLimit(reading);
  const query = assemble(reading, { conditions, ordering, grouped, measure, limit });
  return query !== null && isUnderstood(reading) && coversQuestion(reading, query) && hasContent(query) ? query : null;
}

interface Parts {
  conditions: Condition[];
  ordering: Ordering | null;
  grouped: Column | null;
  measure: Measure;
  limit: number | null;
}

function assemble(reading: QuestionAnalysis, parts: Parts): TableQuery | null {
  const { conditions, ordering, measure, limit } = parts;
  const asked = readAskedColumns(reading, measure, ordering !== null);
  if (asked === null) return null;
  const category = asked.find((column) => column.type === 'category' || (column.type === 'text' && !column.isUnique));
  const noun = nounOf(reading);
  const base = { conditions, limit, noun, show: asked };
  if (ordering === null) {
    if (measure.kind === 'rows') return { ...base, measure, group: null, order: null };
    // Of one row the value is looked up, with whatever else is asked of it.
    const isOneRow = conditions.some(
      (condition) => condition.kind === 'values' && condition.column === reading.table.key && !condition.negated,
    );
    if (isOneRow && measure.kind === 'sum')
      return {
        ...base,
        measure: { kind: 'rows' },
        group: null,
        order: null,
        show: inOrderOf(reading, [measure.column, ...asked]),
      };
    const open = asked.filter(
      (column) => column.type !== 'date' && conditions.every((condition) => condition.column !== column),
    );
    if (open.length > 0 && measure.kind !== 'share') return null;
    if (isOneRow && measure.kind === 'count') return null;
    return { ...base, measure, group: parts.grouped, order: null, show: [] };
  }
  if (measure.kind !== 'rows' || (category !== undefined && ordering.column === null)) {
    // `which region has the most orders`, `the highest average salary`
    const group = parts.grouped ?? category ?? null;
    if (group === null) return null;
    const counted: Measure = measure.kind === 'rows' ? { kind: 'count' } : measure;
    return { ...base, measure: counted, group, order: { column: null, descending: ordering.descending }, show: [] };
  }
  if (ordering.column === null) {
    const measures = reading.table.columns.filter(
      ({ type, isUnique, index }) => type === 'number' && !(isUnique && index === 0),
    );
    if (measures.length !== 1) return null;
    return { ...base, measure, group: null, order: { column: measures[0]!, descending: ordering.descending } };
  }
  const isTotal =
    category !== undefined &&
    category !== reading.table.label &&
    reading.table.rows.length / category.distinct >= 2 &&
    isAdditive(ordering.column);
  if (isTotal)
    return {
      ...base,
      measure: { kind: 'sum', column: ordering.column },
      group: category,
      order: { column: null, descending: ordering.descending },
      show: [],
    };
  return {
    ...base,
    measure,
    group: parts.grouped,
    order: { column: ordering.column, descending: ordering.descending },
  };
}

function inOrderOf({ mentions }: QuestionAnalysis, columns: readonly Column[]): Column[] {
  const place = (column: Column) => mentions.findIndex((mention) => mention.columns[0]!.column === column);
  return columns.toSorted((a, b) => place(a) - place(b));
}

/** Yes-or-no columns that are named: `with breakfast`, `without a projector`. */
function readFlags(reading: QuestionAnalysis): Condition[] {
  const found: Condition[] = [];
  for (const mention of reading.mentions) {
    const column = mention.columns[0]!.column;
    if (column.type !== 'boolean' || reading.used[mention.start] === true || mention.columns[0]!.strength < 2) continue;
    const before = reading.words.slice(Math.max(0, mention.start - 3), mention.start);
    const negation = before.findLastIndex(({ lower }) =>
      /^(?:no|not|without|non|don['’]t|doesn['’]t|aren['’]t|isn['’]t|lack|lacks|lacking)$/.test(lower),
    );
    if (negation >= 0) markUsed(reading, mention.start - before.length + negation, mention.start);
    markUsed(reading, mention.start, mention.end);
    found.push({ kind: 'boolean', column, value: negation < 0 });
  }
  return found;
}

/** `per region`, `for each region`, `by region`. */
function readGroup(reading: QuestionAnalysis): Column | null {
  for (const mention of reading.mentions) {
    const column = columnAt(mention, ({ type }) => type === 'category' || type === 'text' || type === 'boolean');
    if (column === null || column !== mention.columns[0]!.column || reading.used[mention.start] === true) continue;
    const before = reading.words[mention.start - 1]?.lower ?? '';
    if (!/^(?:per|each|every|by)$/.test(before) || column.isUnique) continue;
    markUsed(reading, mention.start - 1, mention.end);
    return column;
  }
  return null;
}

/** Columns whose cells are asked for, in the order of the question; null when it is open who or where is meant. */
function readAskedColumns(reading: QuestionAnalysis, measure: Measure, isOrdered: boolean): Column[] | null {
  const { words, mentions, used, table } = reading;
  const asked: Column[] = [];
  const add = (column: Column) => {
    if (!asked.includes(column)) asked.push(column);
  };
  for (let at = 0; at < words.length; at += 1) {
    const lower = words[at]!.lower;
    if (/^(?:who|whom|where|when)$/.test(lower)) {
      const column = lower.startsWith('who') ? requestedPerson(reading, at) : requestedPlaceOrTime(reading, at);
      if (column === null) return null;
      add(column);
    }
    const mention = mentions.find(({ start }) => start === at);
    if (mention === undefined || used[at] === true) continue;
    const column = requestedColumn(mention, reading, measure);
    markUsed(reading, mention.start, mention.end);
    if (
      column !== null &&
      !(isOrdered && column === table.key && table.label !== table.key && !namesId(reading, mention))
    )
      add(column);
  }
  return asked;
}

/** The column of persons that the verb names, else the name of the row, else the only one of persons. */
function requestedPerson(reading: QuestionAnalysis, at: number): Column | null {
  const { mentions, used, table } = reading;
  const isPerson = ({ name, type }: Column) => type !== 'number' && type !== 'date' && isPersonColumn(name);
  const verb = mentions.find(({ start }) => start > at && start <= at + 3 && used[start] === false);
  const named = columnAt(
    verb,
    (column) => isPerson(column) || (column.type !== 'number' && column.type !== 'date' && namesDoer(column)),
  );
  if (named !== null && verb !== undefined) {
    markUsed(reading, verb.start, verb.end);
    return named;
  }
  if (table.label !== null && isPersonColumn(table.label.name)) return table.label;
  const persons = table.columns.filter(isPerson);
  return persons.length === 1 ? persons[0]! : null;
}

function requestedPlaceOrTime(reading: QuestionAnalysis, at: number): Column | null {
  const { mentions, used, words, table } = reading;
  const columns = table.columns.filter((column) =>
    words[at]!.lower === 'when'
      ? column.type === 'date' || column.words.some(({ stem }) => stem === 'year')
      : column.words.some(({ root }) => areRelated('wher', root)),
  );
  const verb = mentions.find(
    (mention) =>
      mention.start > at &&
      used[mention.start] === false &&
      columnAt(mention, (column) => columns.includes(column)) !== null,
  );
  if (verb !== undefined) markUsed(reading, verb.start, verb.end);
  return columnAt(verb, (column) => columns.includes(column)) ?? columns[0] ?? null;
}

/** `borrower` for `who borrowed`. */
function namesDoer(column: Column): boolean {
  return column.words.some(({ stem }) => /[^aeiou](?:er|or|ee)$/.test(stem));
}

function namesId({ words }: QuestionAnalysis, { start, end }: Mention): boolean {
  return words.slice(start, end + 1).some(({ lower }) => /^(?:ids?|numbers?|codes?|no|skus?|references?)$/.test(lower));
}

/** Null when the words only say what a row is. */
function requestedColumn(mention: Mention, reading: QuestionAnalysis, measure: Measure): Column | null {
  const { table } = reading;
  const best = mention.columns[0]!;
  if (measure.kind !== 'rows') return best.column === table.key || best.column === table.label ? null : best.column;
  const isRowNoun = mention.columns.some(({ column }) => column === table.key) && best.strength < 4 + 4;
  if (isRowNoun && !namesId(reading, mention) && table.key !== table.label) return null;
  return best.column;
}

function nounOf({ words }: QuestionAnalysis): string {
  const at = words.findIndex(
    ({ lower }, place) => (lower === 'many' && words[place - 1]?.lower === 'how') || lower === 'which',
  );
  const noun = words
    .slice(at + 1, at + 4)
    .find(
      ({ lower, stem }) => /^\p{L}{3,}s$/u.test(lower) && lower !== stem && !isFiller(stem) && !isRelatingVerb(stem),
    );
  return at < 0 || noun === undefined ? 'rows' : noun.text;
}

function isUnderstood(reading: QuestionAnalysis): boolean {
  const { words, used, table } = reading;
  return words.every((word, at) => {
    if (used[at] === true) return true;
    if (/^(?:not|no|never|without|except|excluding|nor|neither)$/.test(word.lower) || /n['’]t$/.test(word.lower))
      return false;
    if (/^\d/.test(word.lower)) return false;
    if (isFiller(word.stem) || isRelatingVerb(word.root)) return true;
    if (isGenericNoun(word.stem)) return true;
    return isRowNoun(word.root, table) || isUnitOfQuery(word.lower) || isVerbBetween(reading, at);
  });
}

/** A verb between what the rows are called and the place, person or thing they stand in relation to: `vessels sail under`. */
function isVerbBetween({ words, table }: QuestionAnalysis, at: number): boolean {
  const [before, behind] = [words[at - 1], words[at + 1]];
  if (before === undefined || behind === undefined || before.lower === before.stem || !isRowNoun(before.root, table))
    return false;
  return (
    /^(?:in|at|on|from|to|under|for|with|by)$/.test(behind.lower) &&
    /^\p{Ll}+$/u.test(words[at]!.text) &&
    !/(?:ed|ing|s)$/.test(words[at]!.lower)
  );
}

function isUnitOfQuery(lower: string): boolean {
  return /^(?:eur|euros?|usd|dollars?|€|\$|£|%|percent|percentage)$/.test(lower);
}

/** A question that asks for no column, sets no condition and computes nothing is none to this table. */
function hasContent({ conditions, measure, order, show, group }: TableQuery): boolean {
  return conditions.length > 0 || order !== null || group !== null || measure.kind !== 'rows' || show.length > 0;
}
