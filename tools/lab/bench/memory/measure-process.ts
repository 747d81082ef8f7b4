import type { BenchUrls } from './bench-server.ts';
import { measureSearch, type SearchCell } from './measure-search.ts';

/** Measures one cell in a process of its own; its one argument is this as JSON. Prints what it measured as JSON. */
export interface MeasureArguments {
  urls: BenchUrls;
  cell: SearchCell;
}

const given = JSON.parse(process.argv[2] ?? '{}') as MeasureArguments;
process.stdout.write(JSON.stringify(await measureSearch(given.urls, given.cell)));
