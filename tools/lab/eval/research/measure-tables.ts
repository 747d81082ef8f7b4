import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askAnswer, callApi, type Target, untilSettled } from '../through-http.ts';
import type { ResearchData, TableGold } from './research-data.ts';

export interface TableFigures {
  lookups: { right: number; of: number };
  aggregates: { right: number; of: number };
  faults: string[];
}

/** Questions about a table, each in a memory that holds the table alone. */
export async function measureTables(target: Target, { folder, scorers, gold }: ResearchData): Promise<TableFigures> {
  const { tables } = await gold<TableGold>('tables/tables.json');
  const figures: TableFigures = { lookups: { right: 0, of: 0 }, aggregates: { right: 0, of: 0 }, faults: [] };
  for (const { file, questions } of tables) {
    const { memory_id: memoryId } = await callApi<{ memory_id: string }>(target, 'POST', '/api/v1/memories', {
      display_name: `table ${file}`,
    });
    const form = new FormData();
    form.set('memory_id', memoryId);
    form.set('file', new Blob([await readFile(join(folder, 'research', 'tables', file))]), file);
    await callApi(target, 'POST', '/api/v1/memory/documents', form);
    await untilSettled(target, memoryId);
    for (const { id, kind, question, gold: wanted } of questions) {
      const { answer } = await askAnswer(target, question, memoryId);
      const right = scorers.scoreTable(answer, wanted);
      const counted = kind === 'lookup' ? figures.lookups : figures.aggregates;
      counted.of += 1;
      if (right) counted.right += 1;
      else figures.faults.push(`${id}: ${question}`);
    }
  }
  return figures;
}
