import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const OLDEST = '(3, 10)';

/**
 * A Python with these packages, in a folder that later runs find again; null, with a word on standard error, where
 * there is no Python or nowhere to install from.
 */
export function pythonEnvironment(packages: readonly string[]): string | null {
  const name = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 16);
  const folder = join(ROOT, 'node_modules', '.cache', `python-${name}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  const making = `${folder}.${process.pid}`;
  try {
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' });
    run('python3', '-c', `import sys; sys.exit(sys.version_info < ${OLDEST})`);
    mkdirSync(join(making, '..'), { recursive: true });
    run('python3', '-m', 'venv', making);
    run(join(making, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages);
    renameSync(making, folder);
    return python;
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (existsSync(python)) return python;
    const [why] = String((error as { stderr?: Buffer }).stderr ?? error).split('\n');
    process.stderr.write(`SKIPPED: the specs of the Python SDK, as there is no Python 3.10 with packages (${why})\n`);
    return null;
  }
}
