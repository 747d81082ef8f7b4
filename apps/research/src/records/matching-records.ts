import { type MatchStrength, matchQuery } from './match-query.ts';
import { cellFor, isNameColumn } from './match-column.ts';
import type { PageRecord, RecordField } from './record.ts';
import type { RowQuery } from './row-query.ts';

/** A record with the cells that the prompt asked for, each with what the page says of it. */
export interface MatchingRecord {
  name: string;
  url: string | null;
  fit: Exclude<MatchStrength, 'none'>;
  isDetail: boolean;
  cells: Record<string, { value: string; confidence: number; said: string; label: string }>;
}

const FIELDS_WITHOUT_COLUMNS = 12;

/** The records of a page that may be rows, with their cells. */
export function matchingRecords(records: readonly PageRecord[], query: RowQuery): MatchingRecord[] {
  return records.flatMap((record) => {
    const fit = matchQuery(record, query);
    if (fit === 'none') return [];
    const cells = new Map<string, MatchingRecord['cells'][string]>();
    for (const column of query.columns) {
      const cell = isNameColumn(column) ? null : cellFor(column, record);
      if (cell !== null) {
        const { label } = cell.field;
        const said = provenanceOf(cell.field, record);
        cells.set(column, { value: cell.value, confidence: cell.confidence, said, label });
      } else if (isNameColumn(column))
        cells.set(column, { value: record.name, confidence: 1, said: record.name, label: 'name' });
    }
    if (query.columns.length === 0)
      for (const field of record.fields.slice(0, FIELDS_WITHOUT_COLUMNS)) {
        const { label, value, origin } = field;
        if (origin !== 'class' && !cells.has(label))
          cells.set(label, { value, confidence: 0.8, said: provenanceOf(field, record), label });
      }
    // A column may have the name of a property that every object inherits.
    return [{ name: record.name, url: record.url, fit, isDetail: record.isDetail, cells: Object.fromEntries(cells) }];
  });
}

/** What a page says a field with: its value, or the sentence that it is read from. */
function provenanceOf({ origin, value, said }: RecordField, { summary }: PageRecord): string {
  return said ?? (origin === 'prose' ? summary : value);
}
