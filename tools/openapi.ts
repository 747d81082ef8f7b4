import { readFileSync } from 'node:fs';
import { openApiDocument, OPERATIONS } from '@cairn/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralParsers from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';

// CommonJS modules, whose names only their default import has here.
const { Document, Spectral } = spectralCore;
/** Two packages of one project disagree about the type of an optional field. */
type RulesetLike = never;

const PATH = '/openapi.json';

/** Not mended, with the reason. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'operation-success-response paths./api/v1/search/socket/{thread_id}.get.responses':
    'a WebSocket is answered with 101, and with nothing from 200 to 399',
};

/** What the recommended rules of Redocly and of Spectral find in the document. */
async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const redocly = await lintFromString({ source, config, absoluteRef: PATH });
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetLike, 'recommended']] });
  const found = await spectral.run(new Document(source, spectralParsers.Json, PATH));
  return [
    ...redocly.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`),
    ...found.map(({ code, path }) => `${code} ${path.join('.')}`).filter((problem) => ACCEPTED[problem] === undefined),
  ];
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
