import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DOCUMENTATION_MEMORY } from '@cairn/pages/documentation';
import type { Cairn } from '@cairn/sdk';
import { readJson, writePrivately } from './data-folder.ts';

const PAGES_AT_ONCE = 25;
/** So often because a queue that is full is waited for. */
const PATIENTLY = { maxRetries: 8 };

/** As the file of the data folder holds it. */
interface StoredState {
  /** Name of the built documentation that the memory holds, which changes with its sources; null: none yet. */
  build: string | null;
}

/** Notes that the documentation is to be put into a memory, so that a start after one that was interrupted does it. */
export async function planDocumentationMemory(file: string): Promise<void> {
  await writePrivately(file, JSON.stringify({ build: null } satisfies StoredState));
}

/**
 * Brings the memory that the site's question box asks in line with the pages of the documentation built in `folder`:
 * a page that did not change is left alone, one that is gone is deleted. Does not wait until they are searchable.
 * Nothing is done when the memory holds this build already, when no memory was planned, and when it was deleted since.
 */
export async function updateDocumentationMemory(
  client: Pick<Cairn, 'memories' | 'documents'>,
  folder: string,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const stored = await readJson<StoredState>(file);
  const build = basename(folder);
  if (stored?.build === build) return;
  const options = { ...PATIENTLY, signal };
  const memories = await client.memories.list({}, options).all();
  const existing = memories.find(
    ({ display_name, status }) => display_name === DOCUMENTATION_MEMORY && status === 'active',
  );
  const isPlanned = stored !== null && stored.build === null;
  if (existing === undefined && !isPlanned) return;
  // It shows what secrets and addresses look like.
  const fields = { display_name: DOCUMENTATION_MEMORY, dlp_policy: 'off' } as const;
  const { memory_id } = existing ?? (await client.memories.create(fields, options));
  const pages = await pagesIn(folder);
  // The service itself leaves alone what it has in this version.
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE)
    await client.documents.add({ memory_id, documents: pages.slice(at, at + PAGES_AT_ONCE) }, options);
  const present = new Set(pages.map(({ external_id }) => external_id));
  const documents = await client.documents.list({ memory_id }, options).all();
  const gone = documents.filter(({ external_id }) => external_id !== null && !present.has(external_id));
  if (gone.length > 0)
    await client.documents.deleteMany({ memory_id, doc_ids: gone.map(({ doc_id }) => doc_id) }, options);
  await writePrivately(file, JSON.stringify({ build } satisfies StoredState));
}

async function pagesIn(folder: string): Promise<{ external_id: string; content: string }[]> {
  const files = globSync('**/*.md', { cwd: folder }).filter(isAskable).toSorted();
  return Promise.all(
    files.map(async (page) => ({ external_id: page, content: await readFile(join(folder, page), 'utf8') })),
  );
}

/** What is measured changes with every measurement, and answers no question about the use. */
function isAskable(file: string): boolean {
  return !file.startsWith('measurements');
}
