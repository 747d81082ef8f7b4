import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@cairn/contracts';
import { addressOf } from './api-request.ts';
import { readArguments } from './call.ts';
import { findCall, namedCalls } from './calls.ts';

describe('calls by name', () => {
  it('reach every operation of the API', () => {
    const known = new Set(namedCalls().map(({ id }) => id));
    expect(OPERATIONS.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  it('take numbers and lists as such, and texts as they are', () => {
    const { fields, texts } = readArguments(findCall('createApiKey'), [
      '--name=12',
      '--scopes',
      '["memory:search"]',
      '--data',
      '{"type":"test"}',
      'word',
    ]);
    expect(fields).toEqual({ name: '12', scopes: ['memory:search'], type: 'test' });
    expect(texts).toEqual(['word']);
  });

  it('take null as such', () => {
    const { fields } = readArguments(findCall('routeDocument'), ['doc_1', '--space-id', 'null']);
    expect(fields).toEqual({ space_id: null });
  });

  it('say what an unknown operation or field could have been', () => {
    expect(() => findCall('documents')).toThrow('Did you mean ');
    expect(() => readArguments(findCall('listDocuments'), ['--lmit', '5'])).toThrow('no field “lmit”');
  });
});

describe('requests by path', () => {
  it('begin below the version, unless they name a whole path', () => {
    expect(addressOf('http://c.example', '/memories').href).toBe('http://c.example/api/v1/memories');
    expect(addressOf('http://c.example', '/api/v1/memories').pathname).toBe('/api/v1/memories');
  });

  it('never take the key to another host', () => {
    for (const path of ['//evil.example/x', '/\\evil.example', 'http://evil.example/']) {
      let reached: string | null = null;
      try {
        reached = addressOf('http://c.example', path).origin;
      } catch {
        continue;
      }
      expect(reached).toBe('http://c.example');
    }
  });
});
