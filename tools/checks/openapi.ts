import { readFileSync } from 'node:fs';
import { openApiDocument, OPERATIONS } from '@cairn/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const PATH = '/openapi.json';

/** What Redocly's recommended rules find in the document. */
async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: PATH });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
}

function openApiSource(): string {
  return JSON.stringify(openApiDocument(OPERATIONS, { version: '1.2.3', serverUrl: 'https://cairn.test' }));
}

// A file may be given instead of the document.
if (import.meta.main) {
  const [path] = process.argv.slice(2);
  const problems = await problemsOf(path === undefined ? openApiSource() : readFileSync(path, 'utf8'));
  process.stdout.write([...problems, `openapi: ${problems.length} problems`, ''].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
