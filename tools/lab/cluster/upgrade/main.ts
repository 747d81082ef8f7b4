import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RunningCairn, startCairn } from '@cairn/testing';
import { roundRobin } from './round-robin.ts';
import { callApi, checksOf } from './checks.ts';
import { checkOutOldRelease } from './old-release.ts';
import { startServiceFrom, type ServiceProcess } from './replica.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/**
 * `npm run cluster -- --upgrade COMMIT`: an installation of that commit is upgraded to this checkout, then processes of
 * both serve side by side on the schema of this checkout, as in the middle of a roll-out. Returns the exit code.
 */
export async function runUpgrade(commit: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-upgrade-'));
  const release = await checkOutOldRelease(commit, join(folder, 'old'));
  say(`From ${release.commit} of ${release.day}, ${release.commitsSince} commits before this checkout.`);
  const dataDir = join(folder, 'data');
  let cairn: RunningCairn | null = null;
  const mixed: { close(): Promise<unknown> }[] = [];
  try {
    const before = await leaveSomething(release.folder, dataDir);
    say('The old release has a document and a key, and has ended.');
    cairn = await startCairn({ dataDir });
    say('This checkout serves the same folder; its migrations are applied.');
    const { gateway, parts } = await startMixed(cairn, release.folder, mixed);
    let failed = 0;
    for (const { name, check } of checksOf({ cairn, gateway, before, ...parts })) {
      const told = await check().catch((error: Error) => {
        failed += 1;
        return `FAILED: ${error.message}`;
      });
      say(`- ${name}: ${told}`);
    }
    const { keys, memory, research } = parts;
    say(`Requests to old and new processes: ${countsOf({ keys, memory, research })}.`);
    return failed === 0 ? 0 : 1;
  } finally {
    for (const each of mixed.toReversed()) await each.close();
    await cairn?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the installation of the old release, puts a document in and mints a key, and ends it. */
async function leaveSomething(folder: string, dataDir: string): Promise<{ key: string; docId: string }> {
  const path = join(folder, 'libs', 'testing', 'src', 'index.ts');
  const testing = (await import(pathToFileURL(path).href)) as typeof import('@cairn/testing');
  const old = await testing.startCairn({ dataDir });
  try {
    const call = callApi(old.baseUrl, old.apiKey);
    const key = (await call('POST', '/api/v1/api-keys', { name: 'of the old release' }, 201))['api_key'] as string;
    const content = 'Helmbrook Dairy was founded in 1987 and delivers quillberry yoghurt.';
    const { documents } = await call('POST', '/api/v1/memory/documents', { documents: [{ content }] }, 202);
    return { key, docId: (documents as { doc_id: string }[])[0]!.doc_id };
  } finally {
    await old.stop();
  }
}

/** Old processes of keys, memory and research beside those of the installation, and one gateway before both. */
async function startMixed(cairn: RunningCairn, folder: string, mixed: { close(): Promise<unknown> }[]) {
  const kept = (process: ServiceProcess) => {
    mixed.push({ close: process.kill });
    return process;
  };
  const environment = await cairn.environmentOf('gateway');
  const [oldKeys, oldMemory, oldResearch] = [
    kept(await startServiceFrom(folder, cairn, 'keys')),
    kept(await startServiceFrom(folder, cairn, 'memory')),
    kept(await startServiceFrom(folder, cairn, 'research')),
  ];
  const before = async (name: string, old: ServiceProcess) => {
    const alternation = await roundRobin([old.http, environment[`CAIRN_${name}_HTTP`]!]);
    mixed.push(alternation);
    return alternation;
  };
  const keys = await before('KEYS', oldKeys);
  const memory = await before('MEMORY', oldMemory);
  const research = await before('RESEARCH', oldResearch);
  const gateway = kept(
    await startServiceFrom(ROOT, cairn, 'gateway', {
      CAIRN_KEYS_GRPC: `${oldKeys.grpc},${environment['CAIRN_KEYS_GRPC']}`,
      CAIRN_KEYS_HTTP: keys.url,
      CAIRN_MEMORY_HTTP: memory.url,
      CAIRN_RESEARCH_HTTP: research.url,
    }),
  );
  return { gateway: gateway.http, parts: { keys, memory, research, oldResearch } };
}

function countsOf(parts: Record<string, { counts: number[] }>): string {
  return Object.entries(parts)
    .map(([name, { counts }]) => `${name} ${counts.join(' and ')}`)
    .join(', ');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
