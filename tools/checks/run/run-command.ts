import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

interface CommandResult {
  ok: boolean;
  /** Empty when the output went straight to the terminal. */
  output: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** Shows the output as it comes; otherwise it is kept, because other commands run beside this one. */
  live?: boolean;
  signal: AbortSignal;
}

/** Runs a program of this workspace, with its Node, without input. It has ended when the promise resolves. */
export function runCommand(program: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  const bin = join(ROOT, 'node_modules', '.bin');
  const output = options.live ? 'inherit' : 'pipe';
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...options.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', output, output],
    signal: options.signal,
    killSignal: 'SIGTERM',
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    const end = (ok: boolean, note = '') => resolve({ ok, output: `${Buffer.concat(chunks).toString()}${note}` });
    child.on('error', (error) => {
      // An aborted child still runs; its end is waited for.
      if (child.pid === undefined) end(false, `${program}: ${error.message}\n`);
    });
    child.on('close', (code) => end(code === 0));
  });
}
