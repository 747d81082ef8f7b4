import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleService, IMAGES } from '../../../release/images/bundle-service.ts';
import { missingRequirements } from './requirements.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const BUNDLES = join(ROOT, 'dist', 'bundles');

/**
 * Starts the replicated cluster in namespaces of its own, so that nothing of it outlives the command. `--keep-bundles`
 * uses those that are there. Returns the exit code; 2 when the machine lacks something.
 */
export async function enterReplicatedCluster(args: readonly string[]): Promise<number> {
  // A folder of a Debian with the servers; without it, those of the machine.
  const root = process.env['CAIRN_CLUSTER_ROOT'] ?? '/';
  const missing = missingRequirements(root);
  if (missing.length > 0) {
    process.stderr.write(
      `The replicated cluster cannot be started on this machine:\n${missing.map((line) => `  ${line}\n`).join('')}`,
    );
    return 2;
  }
  const keep = args.includes('--keep-bundles');
  for (const name of IMAGES) {
    const folder = join(BUNDLES, name);
    if (!keep || !existsSync(join(folder, 'main.mjs'))) await bundleService(ROOT, name, folder);
  }
  const inside = [
    // Ends with this process, however that ends.
    ...['--pdeathsig', 'KILL', 'unshare'],
    ...['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
    // The first process of the namespace inherits orphans; a shell reaps them, so that none looks alive to its supervisor.
    ...['sh', '-c', '"$@"; exit $?', 'sh'],
    process.execPath,
    join(import.meta.dirname, 'main.ts'),
    `--root=${root}`,
    `--bundles=${BUNDLES}`,
    ...args.filter((arg) => arg !== '--keep-bundles'),
  ];
  const child = spawn('setpriv', inside, { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
