import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RetrievalSet } from './retrieval-set.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const HANDBOOK = join(ROOT, 'examples', 'handbook');

/** Questions over the example handbook whose answer takes two pages, the second of which the question does not name. */
export async function readHandbookSet(name: string): Promise<RetrievalSet> {
  const { pages } = JSON.parse(await readFile(`${HANDBOOK}.json`, 'utf8')) as {
    pages: { path: string; title: string }[];
  };
  const questions = JSON.parse(await readFile(join(import.meta.dirname, 'sets', 'handbook-two-hop.json'), 'utf8')) as {
    id: string;
    text: string;
    paths: string[];
  }[];
  return {
    name,
    documents: await Promise.all(
      pages.map(async ({ path, title }) => ({ id: path, title, text: await readFile(join(HANDBOOK, path), 'utf8') })),
    ),
    questions: questions.map(({ id, text }) => ({ id, text })),
    judgements: new Map(questions.map(({ id, paths }) => [id, new Map(paths.map((path) => [path, 1]))])),
  };
}
