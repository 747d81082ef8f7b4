import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCairn, startModelServer, temporaryFolder } from '@cairn/testing';
import { writeSection } from '../../measurement/page.ts';
import { measuringTenant } from '../measuring-tenant.ts';
import { readRetrievalSet } from '../retrieval-set.ts';
import { ingestAll } from '../through-http.ts';
import { measureMode, MODEL, type ModelRun } from './measure-model.ts';
import { isAcceptable, modelSection } from './model-report.ts';
import { memoryOfFolder } from './research-client.ts';
import { readResearchData } from './research-data.ts';
import { DEFECTS, type Mode } from './model-modes.ts';

/** Reports and lists with a scripted model that reads the sources it is given, honestly or with one defect. */
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'research.md');
const MODES: readonly Mode[] = ['honest', ...DEFECTS];
/** A model that says nothing is given up after this, and tried three times. */
const CALL_MS = 4_000;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    docs: { type: 'string' },
    modes: { type: 'string', default: MODES.join(',') },
    'no-report': { type: 'boolean', default: false },
  },
});
const data = await readResearchData(values.data);
const server = await startModelServer();
const folder = await temporaryFolder('cairn-eval-');
const modelsFile = join(folder, 'models.json');
await writeFile(
  modelsFile,
  JSON.stringify({
    providers: [
      { name: 'scripted', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: [...server.apiKeys][0] },
    ],
    language_models: [{ name: MODEL, provider: 'scripted' }],
  }),
);
const cairn = await startCairn({
  env: {
    CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
    CAIRN_MODELS_FILE: modelsFile,
    CAIRN_RESEARCH_MODEL_CALL_MS: String(CALL_MS),
  },
});
const runs: ModelRun[] = [];
try {
  const target = await measuringTenant(cairn);
  const room = await memoryOfFolder(target, 'room', join(data.folder, 'research', 'room', 'files'));
  const { memories } = await ingestAll(target, await readRetrievalSet(data.folder, 'hotpotqa100'));
  for (const mode of values.modes.split(',') as Mode[])
    for (const run of await measureMode(target, server, data, { mode, room, paragraphs: memories.get('')! })) {
      runs.push(run);
      process.stdout.write(`${JSON.stringify(run)}\n`);
    }
} finally {
  await cairn.remove();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
if (!runs.every(isAcceptable)) process.exitCode = 1;
if (!values['no-report']) await writeSection(PAGE, 'Research', 'model', modelSection(runs));
