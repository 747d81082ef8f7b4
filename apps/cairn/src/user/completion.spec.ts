import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { printCompletion } from './completion.ts';
import { INSTALLATION_COMMANDS, VERBS } from './verbs.ts';

const run = promisify(execFile);

function scriptOf(shell: string): string {
  const lines: string[] = [];
  printCompletion({ answer: (line = '') => void lines.push(line) }, shell, VERBS, Object.keys(INSTALLATION_COMMANDS));
  return lines.join('\n');
}

const isThere = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What bash would offer after these words. */
async function completed(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const { stdout } = await run('bash', [
    '-c',
    `${scriptOf('bash')}\nCOMP_WORDS=(cairn ${line}); COMP_CWORD=${words.length}; _cairn; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion', () => {
  it('offers in bash what can follow: nouns, their verbs, flags, operations', async () => {
    expect(await completed('doc')).toEqual(['documents', 'doctor']);
    expect(await completed('documents', '')).toEqual(['list', 'get', 'delete', 'download', 'jobs']);
    expect(await completed('documents', 'list', '--st')).toEqual(['--status']);
    expect(await completed('call', 'listDoc')).toContain('listDocuments');
  });

  it.each(['bash', 'zsh', 'fish'].filter(isThere))('is a script that %s accepts', (shell) => {
    expect(() => execFileSync(shell, ['-n'], { input: scriptOf(shell) })).not.toThrow();
  });

  it('is refused for a shell that there is none for', () => {
    expect(() => scriptOf('tcsh')).toThrow('bash, zsh, fish');
  });
});
