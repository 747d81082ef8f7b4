import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENTATION_MEMORY } from '@cairn/pages/documentation';
import type { Cairn } from '@cairn/sdk';
import { addFiles } from './user/add-files.ts';

const PAGES_AT_ONCE = 25;
const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'examples', 'handbook');

/** Puts the example handbook into the default memory. */
export async function ingestHandbook(client: Cairn): Promise<number> {
  const result = await addFiles(client, [HANDBOOK], { only: (path) => path.endsWith('.md') });
  if (result.failed > 0)
    throw new Error(`${result.failed} pages of the handbook could not be indexed: ${result.failures[0]?.message}`);
  return result.completed;
}

/**
 * Puts the pages of the built documentation into a memory of their own, which the site's question box asks, and does not
 * wait until they are searchable.
 */
export async function ingestDocumentation(client: Cairn, folder: string, signal: AbortSignal): Promise<void> {
  const files = globSync('**/*.md', { cwd: folder }).filter(isAskable).toSorted();
  const pages = await Promise.all(
    files.map(async (file) => ({ external_id: file, content: await readFile(join(folder, file), 'utf8') })),
  );
  // It shows what secrets and addresses look like.
  const memory = { display_name: DOCUMENTATION_MEMORY, dlp_policy: 'off' } as const;
  const { memory_id } = await client.memories.create(memory, { signal });
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE)
    await client.documents.add({ memory_id, documents: pages.slice(at, at + PAGES_AT_ONCE) }, { signal });
}

/** What is measured changes with every measurement, and answers no question about the use. */
function isAskable(file: string): boolean {
  return !file.startsWith('measurements');
}

/** Asks the handbook's sample question; returns what to print. */
export async function askSample(client: Cairn, baseUrl: string, credentialsFile: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(HANDBOOK, 'manifest.json'), 'utf8')) as {
    questions: { question: string; demo?: boolean }[];
  };
  const question = manifest.questions.find((candidate) => candidate.demo === true)!.question;
  const { answer, citations } = await client.search.query({ query: question });
  return [
    `Q  ${question}`,
    `A  ${answer}`,
    '',
    ...citations.map(({ citation_id, title }) => `  [${citation_id}] ${title}`),
    '',
    'The same with curl:',
    curlLine(baseUrl, credentialsFile, question),
  ];
}

/** A curl line that can be copied as it is, and shared: it reads the key from the file instead of showing it. */
export function curlLine(baseUrl: string, credentialsFile: string, question: string): string {
  const body = singleQuoted(JSON.stringify({ query: question }));
  const readKey = singleQuoted(`require(${JSON.stringify(credentialsFile)}).api_key`);
  return `curl -s ${baseUrl}/api/v1/memory/search -H "x-api-key: $(node -p ${readKey})" -H 'content-type: application/json' -d ${body}`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
