import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildImages } from '../images/build-images.ts';
import { IMAGES } from '../images/bundle-service.ts';
import { imageName, isBuilt } from '../images/docker.ts';
import { type ComposeInstallation, startComposeInstallation } from './compose-installation.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'dist', 'cluster');

/**
 * End-to-end specs that use an installation over HTTP and by the operator's commands alone, with the settings of
 * deploy/compose. `credentials` is not among them: it expects calls from loopback, and containers see the bridge.
 */
const SPECS = ['isolation', 'route-walk', 'surface', 'tenancy-interface'];

/**
 * `npm run cluster [-- spec …]`: starts deploy/compose with the images of this checkout, which are built when they are
 * not there, and runs end-to-end specs against it, each with a tenant of its own.
 */
async function main(wanted: readonly string[]): Promise<void> {
  const missing = IMAGES.filter((name) => !isBuilt(imageName(name)));
  if (missing.length > 0) buildImages(missing);
  const startedMs = performance.now();
  const installation = await startComposeInstallation(await freePort(), FOLDER);
  say(`The installation is ready after ${secondsSince(startedMs)} s.`);
  let failed: string[] = [];
  try {
    failed = await runSpecs(installation, wanted.length > 0 ? wanted : SPECS);
    say(installation.memoryUse());
    if (failed.length > 0) say(`The output of the containers is in ${await installation.writeLogs()}.`);
  } finally {
    installation.remove();
  }
  if (failed.length === 0) await rm(FOLDER, { recursive: true, force: true });
  say(failed.length === 0 ? 'All specs passed.' : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function runSpecs(installation: ComposeInstallation, specs: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const spec of specs) {
    const env = await installation.createTenant(spec);
    const jest = [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), '-c', 'jest.config.ts', '--rootDir', 'e2e'];
    const pattern = `/e2e/tests/${spec}\\.spec\\.ts$`;
    const { status } = spawnSync(process.execPath, [...jest, pattern], { cwd: ROOT, stdio: 'inherit', env });
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

if (import.meta.main) await main(process.argv.slice(2));
