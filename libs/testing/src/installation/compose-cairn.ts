import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { composeInternals, SERVICES } from './compose-internals.ts';
import { type ComposeAccess, composeProject } from './compose-project.ts';
import { eventually } from '../eventually.ts';
import type { RunningCairn } from './running-cairn.ts';

interface StartOptions {
  args?: string[];
  env?: Record<string, string>;
  dataDir?: string;
}

const HANDBOOK = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'handbook');
const READY_MS = 180_000;
const INGESTED_MS = 120_000;

/**
 * An installation in containers that already runs. With settings of its own, the services are started again with them;
 * whoever runs the specs takes them back.
 */
export async function composeCairn(
  credentials: Record<string, string>,
  access: ComposeAccess,
  options: StartOptions,
): Promise<RunningCairn> {
  const project = composeProject(access);
  const { start, ...inside } = composeInternals(project, access.environment['POSTGRES_PASSWORD']!);
  const baseUrl = credentials['base_url']!;
  const ownSettings = Object.keys(options.env ?? {}).length > 0;
  if (ownSettings) await writeFile(access.override, await overrideOf(options.env!, dirname(access.override)));
  if (ownSettings || options.dataDir !== undefined) {
    await start();
    await eventually(async () => (await fetch(`${baseUrl}/readyz`)).ok, Boolean, READY_MS);
  }
  const cairn: RunningCairn = {
    ...inside,
    embedded: false,
    baseUrl,
    memoryDomain: credentials['memory_domain']!,
    apiKey: credentials['api_key']!,
    testApiKey: credentials['test_api_key']!,
    tenantId: credentials['tenant_id']!,
    hostAddress: (await project.inspect('postgres')).gateway,
    dataDir: access.override,
    get pid(): number {
      throw new Error('an installation in containers has no supervisor');
    },
    output: () => project.output(),
    async stop() {
      await project.compose('stop', '--timeout=30');
      return 0;
    },
    async kill9() {
      await project.compose('kill', '--signal=SIGKILL');
    },
    // Whoever started it removes it.
    remove: async () => undefined,
  };
  // `cairn up` puts the example handbook into the first memory unless that is disabled.
  if (options.args?.includes('--no-demo') === false && options.dataDir === undefined) await ingestHandbook(cairn);
  return cairn;
}

/** A Compose file that gives the variables to every service, with the files that they name. */
async function overrideOf(variables: Record<string, string>, folder: string): Promise<string> {
  const volumes: string[] = [];
  for (const value of Object.values(variables)) {
    if (!isAbsolute(value)) continue;
    // The services run as a user who may not read a spec's own folder.
    const copy = join(folder, 'mounted', basename(value));
    await mkdir(join(folder, 'mounted'), { recursive: true });
    await copyFile(value, copy);
    await chmod(copy, 0o644);
    volumes.push(`${copy}:${value}:ro`);
  }
  const environment = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replaceAll('$', '$$$$')]),
  );
  const services = Object.fromEntries(SERVICES.map((service) => [service, { environment, volumes }]));
  return JSON.stringify({ services });
}

async function ingestHandbook(cairn: RunningCairn): Promise<void> {
  const headers = { 'x-api-key': cairn.apiKey, 'content-type': 'application/json' };
  const names = (await readdir(HANDBOOK, { recursive: true })).filter((name) => name.endsWith('.md'));
  const documents = await Promise.all(
    names.map(async (name) => ({ content: await readFile(join(HANDBOOK, name), 'utf8'), external_id: name })),
  );
  const url = `${cairn.baseUrl}/api/v1/memory/documents`;
  const accepted = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ documents }) });
  if (accepted.status !== 202) throw new Error(`the handbook was not accepted: ${accepted.status}`);
  const completed = async () => {
    const answer = await fetch(`${url}?status=completed&limit=200`, { headers });
    return ((await answer.json()) as { documents: unknown[] }).documents.length;
  };
  await eventually(completed, (count) => count >= names.length, INGESTED_MS);
}
