import { environment, table } from '../../measurement/page.ts';
import type { CrawlFigures } from './measure-crawls.ts';
import type { InstructionFigures } from './measure-instructions.ts';
import type { ListFigures } from './measure-lists.ts';
import type { ReportFigures } from './measure-report.ts';
import type { TableFigures } from './measure-tables.ts';

export interface ResearchFigures {
  room?: ReportFigures;
  instructions?: InstructionFigures;
  lists?: ListFigures;
  tables?: TableFigures;
  crawls?: CrawlFigures;
}

/** The section of the page: what the parts measured gave. */
export function researchSection({ room, instructions, lists, tables, crawls }: ResearchFigures): string {
  const share = (part: number, of: number) => `${(part / Math.max(1, of)).toFixed(3)} (${part} of ${of})`;
  const rows: string[][] = [];
  if (room !== undefined)
    rows.push(
      ['report: checkpoints covered', room.coverage.toFixed(3), '.6'],
      ['report: superseded values told as current', String(room.stale), '0'],
      ['report: three runs equal', room.equal ? 'yes' : 'no', 'yes'],
    );
  if (instructions !== undefined)
    rows.push(
      ['instructions kept apart from questions', share(instructions.ok, instructions.prompts), '.95'],
      ['instructions: three runs equal', share(instructions.equal, instructions.prompts), '1'],
    );
  if (lists !== undefined)
    rows.push(
      ['lists: recall of rows', share(lists.found, lists.gold), '.7'],
      ['lists: precision of rows', share(lists.found, lists.found + lists.wrong), '.9'],
      ['lists: cells right', share(lists.cellsRight, lists.cells), '.85'],
    );
  if (tables !== undefined)
    rows.push(
      ['tables: lookups', share(tables.lookups.right, tables.lookups.of), '.95'],
      ['tables: counts, sums, averages, orders', share(tables.aggregates.right, tables.aggregates.of), '.9'],
    );
  if (crawls !== undefined)
    rows.push(
      ['crawls: cells right', share(crawls.cellsRight, crawls.cells), '.75'],
      ['crawls: precision of rows', share(crawls.found, crawls.found + crawls.wrong), '.9'],
    );
  return [
    '## Through the API, without a model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder> --sets research --docs <folder>\`.`,
    '',
    table(['what', 'figure', 'goal'], rows),
    '',
    'Every run is made by the whole installation: documents are ingested, searched and read, and the scorers that come with the data read what the API gives. Report, lists, crawls and tables: the rules were made with this half of the data at hand, so that the figures are upper bounds; the sections of each part have the first runs.',
  ].join('\n');
}
