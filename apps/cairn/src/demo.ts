import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cairn } from '@cairn/sdk';
import { addFiles } from './user/add-files.ts';

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', 'examples', 'handbook');
/** Questions about the handbook; beside it, so that nobody who adds the folder adds them. */
const QUESTIONS = `${HANDBOOK}.json`;

/** Puts the example handbook into the default memory. */
export async function ingestHandbook(client: Cairn): Promise<number> {
  const result = await addFiles(client, [HANDBOOK], { only: (path) => path.endsWith('.md') });
  if (result.failed > 0)
    throw new Error(`${result.failed} pages of the handbook could not be indexed: ${result.failures[0]?.message}`);
  return result.completed;
}

/** Asks the handbook's sample question; returns what to print. */
export async function askSample(client: Cairn, baseUrl: string, credentialsFile: string): Promise<string[]> {
  const manifest = JSON.parse(await readFile(QUESTIONS, 'utf8')) as {
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
