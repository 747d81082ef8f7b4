import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startCairn } from '@cairn/testing';
import { writeSection } from '../../measurement/page.ts';
import { measuringTenant } from '../measuring-tenant.ts';
import { readRetrievalSet } from '../retrieval-set.ts';
import { ingestAll, type Target } from '../through-http.ts';
import { measureCrawls } from './measure-crawls.ts';
import { measureInstructions } from './measure-instructions.ts';
import { measureLists } from './measure-lists.ts';
import { measureReport } from './measure-report.ts';
import { measureTables } from './measure-tables.ts';
import { type ResearchFigures, researchSection } from './report.ts';
import { memoryOfFolder } from './research-client.ts';
import { readResearchData, type ResearchData } from './research-data.ts';

/** Lists, tables, a report, crawls and instructions through the API, without a model. */
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'research.md');
const PARTS = ['room', 'instructions', 'lists', 'tables', 'crawls'];
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    docs: { type: 'string' },
    parts: { type: 'string', default: PARTS.join(',') },
    'no-report': { type: 'boolean', default: false },
  },
});
const parts = new Set(values.parts.split(','));
const data = await readResearchData(values.data);
const cairn = await startCairn({ env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true', CAIRN_CRAWL_PAUSE_MS: '20' } });
const figures: ResearchFigures = {};
const keep = <Name extends keyof ResearchFigures>(name: Name, value: ResearchFigures[Name]) => {
  figures[name] = value;
  say(`${name}: ${JSON.stringify(value, (key: string, one: unknown) => (key === 'runs' ? undefined : one))}`);
};
try {
  const target = await measuringTenant(cairn);
  const needsRoom = parts.has('room') || parts.has('instructions');
  const needsParagraphs = parts.has('lists') || parts.has('instructions');
  const room = needsRoom ? await memoryOfFolder(target, 'room', join(data.folder, 'research', 'room', 'files')) : '';
  const paragraphs = needsParagraphs ? await memoryOfParagraphs(target, data.folder) : '';
  if (parts.has('room')) keep('room', await measureReport(target, data, { memoryId: room }));
  if (parts.has('instructions')) {
    const documents = values.docs === undefined ? {} : { documents: await documentation(target, data, values.docs) };
    keep('instructions', await measureInstructions(target, data, { room, paragraphs, ...documents }));
  }
  if (parts.has('lists')) keep('lists', await measureLists(target, data, { memoryId: paragraphs }));
  if (parts.has('tables')) keep('tables', await measureTables(target, data));
  if (parts.has('crawls')) keep('crawls', await measureCrawls(target, data));
} finally {
  await cairn.remove();
}
if (!values['no-report']) await writeSection(PAGE, 'Research', 'through-api', researchSection(figures));

async function memoryOfParagraphs(target: Target, folder: string): Promise<string> {
  const { memories } = await ingestAll(target, await readRetrievalSet(folder, 'hotpotqa100'));
  return memories.get('')!;
}

/** The documentation that some prompts ask about, read by the data folder's own code. */
async function documentation(target: Target, { folder }: ResearchData, docs: string): Promise<string> {
  const { development } = (await import(pathToFileURL(join(folder, 'tools', 'answer_corpus.mjs')).href)) as {
    development: (docs: string) => { id: string; title: string; content: string }[];
  };
  const documents = development(docs).map(({ id, title, content }) => ({ id, title, text: content }));
  const { memories } = await ingestAll(target, { name: 'documentation', documents });
  return memories.get('')!;
}
