import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

function run(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, args, { cwd: join(import.meta.dirname, '..', '..'), encoding: 'utf8' });
}

describe('npm run bench and npm run chaos', () => {
  it('list what there is, and fail, when nothing or something unknown is named', () => {
    for (const args of [
      ['tools/lab/bench/main.ts'],
      ['tools/lab/bench/main.ts', 'toString'],
      ['tools/lab/chaos/main.ts', 'serach'],
    ]) {
      const { status, stdout } = run(...args);
      expect(status).toBe(2);
      expect(stdout).toMatch(/^Usage: npm run (?:bench|chaos) -- <name> \[options\]\n\n {2}\w+ +\w/);
    }
  });

  it('hand options and exit code through', () => {
    expect(run('tools/lab/bench/main.ts', 'search', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--sizes'),
    });
    expect(run('tools/lab/bench/main.ts', 'search', '--no-such-option').status).toBe(1);
  });
});
