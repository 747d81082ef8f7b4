import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CAIRN_COMMAND, eventually, type RunningCairn } from '@cairn/testing';

const ASKED = /code (\S+) as well:\s+(\S+)/;

export interface Login {
  /** The page of the console that it asks to be opened. */
  url: string;
  /** What that page has to show. */
  code: string;
  contextsFile: string;
  /** Sends the whole of its standard input, and ends it. */
  type(text: string): void;
  ended: Promise<{ code: number; output: string }>;
}

/** `cairn login`, once it has said where to go; the browser that it opens is one that does nothing. */
export async function startLogin(cairn: RunningCairn, folder: string, from: 'console' | 'code'): Promise<Login> {
  const contextsFile = join(folder, 'contexts.json');
  const child = spawn(process.execPath, [CAIRN_COMMAND, 'login', '--from', from, '--base-url', cairn.baseUrl], {
    env: { PATH: process.env['PATH'], CAIRN_CONTEXTS_FILE: contextsFile, BROWSER: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, output }));
  await eventually(() => ASKED.test(output) || child.exitCode !== null);
  const [, code, url] = ASKED.exec(output) ?? [];
  if (code === undefined || url === undefined) throw new Error(`It did not ask: ${output}`);
  return { url, code, contextsFile, ended, type: (text) => void child.stdin.end(text) };
}
