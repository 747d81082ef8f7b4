import type { Measure, TableQuery } from './query.ts';
import type { QuestionAnalysis } from './question-analysis.ts';
import type { Column } from './table.ts';

/** Words that compute, by what they have to become. */
const COMPUTING: readonly (readonly [words: RegExp, kinds: ReadonlySet<Measure['kind']>])[] = [
  [/^(?:averages?|mean)$/, new Set(['average'])],
  [/^median$/, new Set(['median'])],
  [/^(?:share|percentage|proportion|fraction)$/, new Set(['share'])],
  [/^(?:different|distinct|unique)$/, new Set(['distinct'])],
  [/^(?:total|totals|sum|altogether|combined)$/, new Set(['sum', 'count', 'distinct'])],
];
/** Words that order, divide or set apart, and mean something else where a query has taken them. */
const OPERATIVE =
  /^(?:first|last|second|third|top|bottom|best|worst|highest|lowest|ascending|descending|per|each|every|between|above|below|than|both|only|twice|half|double|difference|ratio|change|increase|decrease|increased|decreased|growth|compared|versus|vs|previous|next|rank|ranked|consecutive|cumulative|trend|correlation|instead|nor|either|neither)$/;

/**
 * Whether every word of a question that computes, orders or sets apart has become a part of the query, or is one of the
 * name of a column in it. Without it the answer would be one to another question.
 */
export function coversQuestion({ words, used }: QuestionAnalysis, query: TableQuery): boolean {
  const named = new Set(columnsOf(query).flatMap((column) => column.words.map(({ stem }) => stem)));
  return words.every(({ lower, stem }, at) => {
    if (named.has(stem)) return true;
    const kinds = COMPUTING.find(([forms]) => forms.test(lower))?.[1];
    if (kinds !== undefined) return kinds.has(query.measure.kind);
    return used[at] === true || !OPERATIVE.test(lower);
  });
}

function columnsOf({ measure, order, group, conditions, show }: TableQuery): Column[] {
  const columns = [
    ...('column' in measure ? [measure.column] : []),
    order?.column ?? null,
    group,
    ...conditions.map(({ column }) => column),
    ...show,
  ];
  return columns.filter((column) => column !== null);
}
