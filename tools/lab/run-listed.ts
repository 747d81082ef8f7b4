import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Something `npm run bench` or `npm run chaos` can run: a script of the part it belongs to. */
export interface ListedScript {
  /** From the root of the repository. */
  script: string;
  /** One line for the list. */
  about: string;
}

const ROOT = join(import.meta.dirname, '..', '..');

/** Runs the listed script that the first argument names, with the others as its arguments; returns the exit code. */
export async function runListed(
  command: string,
  listed: Readonly<Record<string, ListedScript>>,
  args: readonly string[],
): Promise<number> {
  const [name = '', ...rest] = args;
  const chosen = Object.hasOwn(listed, name) ? listed[name] : undefined;
  if (chosen === undefined) {
    const lines = Object.entries(listed).map(([known, { about }]) => `  ${known.padEnd(10)} ${about}`);
    process.stdout.write(`Usage: npm run ${command} -- <name> [options]\n\n${lines.join('\n')}\n`);
    return 2;
  }
  return runNode(chosen.script, ...rest);
}

/** Runs a script of the repository in a process of its own, which prints where this one does; returns the exit code. */
export function runNode(script: string, ...args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
