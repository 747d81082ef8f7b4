import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@cairn/contracts';
import { createRouteTable } from './route-table.ts';

const routes = createRouteTable();
const example = (path: string) => path.replace(/\{\w+\}/g, 'some_id');

/** `/documents/stats` is also a document that is called so. */
const takes = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

describe('the route table', () => {
  it.each(OPERATIONS.map((operation) => ({ operation, name: `${operation.method} ${operation.path}` })))(
    '$name is itself',
    ({ operation }) => {
      expect(routes.match(operation.method, example(operation.path))).toEqual({ kind: 'operation', operation });
    },
  );

  it('every other method on a known path is refused with those that are allowed', () => {
    for (const { path } of OPERATIONS) {
      const known: string[] = OPERATIONS.filter((other) => takes(other.path, example(path))).map(
        ({ method }) => method,
      );
      const allow = known.includes('GET') ? [...known, 'HEAD'] : known;
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get']) {
        const match = routes.match(method, example(path));
        if (allow.includes(method)) expect(match.kind).toBe('operation');
        else expect(match).toEqual({ kind: 'wrong-method', allow: expect.arrayContaining(allow) });
      }
    }
  });

  it.each([
    '/',
    '/api/v1',
    '/api/v1/api-keys/',
    '/api/v1/API-KEYS',
    '/api/v1//api-keys',
    '/api/v1/api-keys/a/b',
    '/api/v1/api-keysx',
    '/api/v1/memories;a=b',
    '/api/v1/memories/%ff',
    `/api/v1/memories/${'a'.repeat(257)}`,
    '/internal',
    '/healthz',
  ])('%s is nothing', (path) => {
    expect(routes.match('GET', path)).toEqual({ kind: 'none' });
  });
});
