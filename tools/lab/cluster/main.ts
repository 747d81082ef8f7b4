import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildImages } from '../../release/images/build-images.ts';
import { IMAGES } from '../../release/images/bundle-service.ts';
import { imageName, isBuilt } from '../../release/images/docker.ts';
import { type ComposeInstallation, startComposeInstallation } from './compose-installation.ts';
import { enterReplicatedCluster } from './replicated/enter.ts';
import { runUpgrade } from './upgrade/main.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'dist', 'cluster');

const TESTS = join(ROOT, 'e2e', 'tests');
const SUFFIX = '.spec.ts';

/** It leaves memories on a server of its own that ends with it. */
const LAST = 'engines';

/** End-to-end specs that cannot apply to containers, and why. */
const NOT_HERE: Record<string, string> = {
  backup: 'it copies the data folder of `npm start`; PostgreSQL in a container is backed up by its own means',
  'dedicated-memory': 'the small server has no place to start a PostgreSQL for a dedicated memory',
  'first-answer': 'it is about what `npm start` prints, about its folder and about its command line',
  'mutual-tls': 'it makes an installation of its own, with certificates, on the servers of the tests',
  observability: 'it reads where each process of `npm start` shows its metrics from the data folder',
  'webhook-events': 'plain http is for receivers on loopback, which is another machine to a container',
  webhooks: 'plain http is for receivers on loopback, which is another machine to a container',
  outlet: 'its sites have certificates for localhost, which is another machine to a container',
};

/**
 * `npm run cluster [-- spec …]`: starts deploy/compose with the images of this checkout, which are built when they are
 * not there, and runs the end-to-end specs against it, each with a tenant of its own. `npm run cluster -- --replicated [scenario …]`: plays
 * faults on several replicas of everything. `npm run cluster -- --upgrade COMMIT`: has processes of an older commit serve beside
 * those of this one.
 */
async function main(wanted: readonly string[]): Promise<void> {
  const missing = IMAGES.filter((name) => !isBuilt(imageName(name)));
  if (missing.length > 0) buildImages(missing);
  const startedMs = performance.now();
  const installation = await startComposeInstallation(await freePort(), FOLDER);
  say(`The installation is ready after ${secondsSince(startedMs)} s.`);
  let failed: string[] = [];
  try {
    failed = await runSpecs(installation, wanted.length > 0 ? wanted : await specsOfContainers());
    say(installation.memoryUse());
    if (failed.length > 0) say(`The output of the containers is in ${await installation.writeLogs()}.`);
  } finally {
    installation.remove();
  }
  if (failed.length === 0) await rm(FOLDER, { recursive: true, force: true });
  say(failed.length === 0 ? 'All specs passed.' : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Every end-to-end spec but those that cannot apply, which are named. */
async function specsOfContainers(): Promise<string[]> {
  const all = (await readdir(TESTS))
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length));
  for (const [name, reason] of Object.entries(NOT_HERE)) say(`Not run: ${name}, because ${reason}.`);
  const here = all.filter((name) => NOT_HERE[name] === undefined && name !== LAST).sort();
  return [...here, LAST];
}

async function runSpecs(installation: ComposeInstallation, specs: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const spec of specs) {
    await installation.settle();
    const env = await installation.createTenant(spec);
    const jest = [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), '-c', 'jest.config.ts', '--rootDir', 'e2e'];
    const pattern = `/e2e/tests/${spec}\\.spec\\.ts$`;
    // A spec that fails may leave a connection open, which would hold up all others.
    const { status } = spawnSync(process.execPath, [...jest, '--forceExit', pattern], {
      cwd: ROOT,
      stdio: 'inherit',
      env,
    });
    if (status !== 0) failed.push(spec);
  }
  return failed;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1_000).toFixed(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const upgrade = args.indexOf('--upgrade');
  if (upgrade >= 0) process.exitCode = await runUpgrade(args[upgrade + 1] ?? 'HEAD~1');
  else if (args.includes('--replicated'))
    process.exitCode = await enterReplicatedCluster(args.filter((arg) => arg !== '--replicated'));
  else await main(args);
}
