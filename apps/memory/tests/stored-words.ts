import { isId } from '@cairn/contracts';
import { createDatabase, type Database } from '@cairn/postgres';
import { readStoredTerms } from '@cairn/search-index/stored-terms';
import type { MemoryScope } from '../src/memories/memory-scope.ts';

/** Looks into a database as whoever holds its disk may: every table, every column, every word of the index. */
export interface StoredWords {
  /** Tables of the schema with a row that holds the text, in any column. Events of the audit log may hold an id. */
  tablesWith(text: string): Promise<string[]>;
  /** Words of the memory's dictionaries that contain the text; deleted or not. */
  wordsWith(memory: MemoryScope, text: string): Promise<string[]>;
  /** Pages that no manifest names. */
  orphanedPages(memory: MemoryScope): Promise<number>;
  /** Tables of the schema that have a column of the name. */
  tablesHaving(column: string): Promise<string[]>;
  close(): Promise<void>;
}

export function lookInto(superuserUrl: string): StoredWords {
  const url = new URL(superuserUrl);
  url.searchParams.set('options', '-csearch_path=memory');
  const database: Database = createDatabase({ url: url.href, applicationName: 'spec-look', poolMax: 2 });
  const names = (text: string, values: unknown[]) =>
    database.transaction(async (tx) => (await tx.query<{ name: string }>(text, values)).map((row) => row.name));
  return {
    tablesHaving: (column) =>
      names(
        `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'memory' AND column_name = $1 ORDER BY 1`,
        [column],
      ),
    async tablesWith(text) {
      const columns = await database.transaction((tx) =>
        tx.query<{ table_name: string; column_name: string; data_type: string }>(
          `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'memory' ORDER BY 1, 2`,
        ),
      );
      const found = new Set<string>();
      for (const { table_name, column_name, data_type } of columns) {
        const condition =
          data_type === 'bytea'
            ? `position(convert_to($1, 'UTF8') IN ${column_name}) > 0`
            : `strpos(lower(${column_name}::text), lower($1)) > 0`;
        const holdsEvents = table_name === 'outbox' || table_name === 'published_events';
        const others = holdsEvents && isId(text) ? "AND NOT starts_with(subject, 'cairn.event.usage.audit.')" : '';
        const rows = await names(
          `SELECT '${table_name}' AS name FROM ${table_name} WHERE ${condition} ${others} LIMIT 1`,
          [text],
        );
        for (const name of rows) found.add(name);
      }
      return [...found];
    },
    wordsWith: async (memory, text) => (await readStoredTerms(database, memory)).filter((term) => term.includes(text)),
    async orphanedPages(memory) {
      const rows = await database.transaction((tx) =>
        tx.query<{ n: number }>(
          `SELECT count(*) AS n FROM index_pages p WHERE tenant_id = $1 AND memory_id = $2
              AND NOT EXISTS (SELECT 1 FROM index_segments s WHERE s.segment_id = p.segment_id)`,
          [memory.tenantId, memory.memoryId],
        ),
      );
      return rows[0]!.n;
    },
    close: () => database.close(),
  };
}
