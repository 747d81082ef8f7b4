import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const KEYS = join(import.meta.dirname, '..', 'src', 'main.ts');

/** Runs the keys service with these variables and nothing else; returns its exit code and what it logged. */
function start(env: Record<string, string>) {
  const { status, stdout } = spawnSync(process.execPath, [KEYS], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return {
    status,
    lines: stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('a service that is started with the wrong variables', () => {
  it('names every missing, invalid and unknown one in one message, and ends', () => {
    const { status, lines } = start({
      DATABASE_URL: 'postgres://x',
      CAIRN_LOG_LEVEL: 'loud',
      CAIRN_TENNANCY_GRPC: 'tenancy:9090',
      // Another service's.
      CAIRN_MEMORY_GRPC: 'memory:9090',
    });
    expect(status).toBe(1);
    expect(lines).toHaveLength(1);
    const problems = lines[0]!['problems'] as string[];
    expect(problems.map((problem) => problem.split(/[ :]/)[0]).toSorted()).toEqual([
      'CAIRN_BASE_URL',
      'CAIRN_JWKS_FILE',
      'CAIRN_LOG_LEVEL',
      'CAIRN_REQUEST_KEYS_FILE',
      'CAIRN_SIGNING_KEY_FILE',
      'CAIRN_TENANCY_GRPC',
      'CAIRN_TENNANCY_GRPC',
      'DATABASE_WORKER_URL',
      'NATS_URL',
    ]);
    expect(problems.at(-1)).toBe('CAIRN_TENNANCY_GRPC is set, and no part of Cairn reads it');
  });
});
