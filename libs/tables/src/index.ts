export { answerFromTables, type FoundAnswer } from './answer-from-tables.ts';
export type { RawTable } from './table.ts';
export { type RowText, tablesOfRows } from './tables-of-rows.ts';
