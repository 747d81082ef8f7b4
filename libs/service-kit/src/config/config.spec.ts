import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, listenAddress, parseConfig, serviceVariables, variable } from './config.ts';

const variables = {
  url: variable('DATABASE_URL', z.url(), 'Where the data is.'),
  poolMax: variable('POOL_MAX', z.coerce.number().int().min(1).default(10), 'Connections.'),
  level: variable('LEVEL', z.enum(['info', 'warn']).default('info'), 'What is logged.'),
};

function problemsOf(env: Record<string, string>, declared: Parameters<typeof parseConfig>[0] = variables): string[] {
  try {
    parseConfig(declared, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

describe('parseConfig', () => {
  it('gives what is set, and the default of what is not or is empty', () => {
    expect(parseConfig(variables, { DATABASE_URL: 'postgres://x', POOL_MAX: '5', OTHER: 'y' })).toEqual({
      url: 'postgres://x',
      poolMax: 5,
      level: 'info',
    });
    expect(parseConfig(variables, { DATABASE_URL: 'postgres://x', POOL_MAX: '', LEVEL: '' })).toEqual({
      url: 'postgres://x',
      poolMax: 10,
      level: 'info',
    });
  });

  it('names every problem at once, and says which variables are not set', () => {
    const problems = problemsOf({ POOL_MAX: 'many', LEVEL: 'loud' });
    expect(problems).toHaveLength(3);
    expect(problems.map((problem) => problem.split(/[ :]/)[0])).toEqual(['DATABASE_URL', 'POOL_MAX', 'LEVEL']);
    expect(problems[0]).toContain('is not set');
    expect(problems[1]).not.toContain('is not set');
  });

  it('says them all in the message, one a line', () => {
    expect(() => parseConfig(variables, { LEVEL: 'loud' })).toThrow(/DATABASE_URL[^\n]*\n[^\n]*LEVEL/);
  });

  it('gives an object that nobody changes', () => {
    const config = parseConfig(variables, { DATABASE_URL: 'postgres://x' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(() => Object.assign(config, { poolMax: 1 })).toThrow(TypeError);
  });

  it('asks a service for what has no default, and for nothing else', () => {
    const names = problemsOf({}, serviceVariables).map((problem) => problem.split(' ')[0]);
    expect(names).toEqual([
      'DATABASE_URL',
      'DATABASE_WORKER_URL',
      'NATS_URL',
      'CAIRN_SIGNING_KEY_FILE',
      'CAIRN_JWKS_FILE',
      'CAIRN_REQUEST_KEYS_FILE',
    ]);
  });
});

describe('a database URL', () => {
  const { schema } = serviceVariables.databaseUrl;
  it.each([
    'postgres://app:secret@h1:5432/cairn',
    'postgresql://h1/cairn?sslmode=verify-full',
    'postgres://app:secret@h1:5432,h2,[::1]:5433/cairn?target_session_attrs=read-write',
  ])('%s is understood', (url) => {
    expect(schema.parse(url)).toBe(url);
  });

  it.each(['', 'h1:5432', 'mysql://h1/cairn', 'postgres://h1:port,h2/cairn', 'postgres://h1,h2:70000/cairn'])(
    '%j is refused with a message that says how it is written',
    (url) => {
      expect(schema.safeParse(url).error?.issues[0]?.message).toContain('several hosts separated by commas');
    },
  );
});

describe('a listen address', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65_535 }],
    ['keys.internal:80', { host: 'keys.internal', port: 80 }],
  ])('%s is understood', (text, address) => {
    expect(listenAddress.parse(text)).toEqual(address);
  });

  it.each(['', '8080', ':8080', 'host', 'host:', 'host:x', 'host:65536', '::1:80', 'a:b:80', 'host:80 '])(
    '%j is refused',
    (text) => {
      expect(listenAddress.safeParse(text).success).toBe(false);
    },
  );
});
