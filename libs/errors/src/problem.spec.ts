import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  CairnError,
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
  notFound,
  problemContentType,
  problemHeaders,
  toProblem,
  validationFailed,
} from './index.ts';

/** The error catalogue, written out: a status never changes. */
const CODES: [ErrorCode, number][] = [
  ['credential_missing', 401],
  ['credential_invalid', 401],
  ['credential_expired', 401],
  ['credential_revoked', 401],
  ['memory_not_permitted', 403],
  ['ip_not_allowed', 403],
  ['permission_denied', 403],
  ['rate_limited', 429],
  ['quota_exceeded', 429],
  ['plan_limit_reached', 402],
  ['insufficient_credits', 402],
  ['malformed_json', 400],
  ['validation_failed', 422],
  ['not_found', 404],
  ['conflict', 409],
  ['payload_too_large', 413],
  ['unsupported_media_type', 415],
  ['unavailable', 503],
  ['proxy_not_configured', 422],
  ['idempotency_mismatch', 422],
  ['idempotency_in_flight', 409],
  ['identity_invalid', 401],
  ['queue_full', 429],
  ['malformed_request', 400],
  ['method_not_allowed', 405],
  ['request_timeout', 408],
  ['internal', 500],
  ['deadline_exceeded', 504],
  ['upgrade_required', 426],
];

describe('a code', () => {
  it.each(CODES)('%s is HTTP %d, with a title of its own', (code, status) => {
    const problem = toProblem(new CairnError(code, 'What happened.'), 'req-1');
    expect(problem).toMatchObject({
      type: `/docs/errors#${code}`,
      title: ERROR_CODES[code].title,
      status,
      code,
      request_id: 'req-1',
    });
    expect(problem.detail).not.toBe('');
  });

  it('is on the page of errors, with when it occurs and what to do', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.*?) *\| (.*?) *\|$/gm)].map((row) => row.slice(1));
    const known = Object.entries(ERROR_CODES);
    expect(rows.toSorted()).toEqual(
      known.map(([code, { status, when, remedy }]) => [code, String(status), when, remedy]).toSorted(),
    );
  });

  it('is in one of the two tables above', () => {
    expect(CODES.map(([code]) => code).sort()).toEqual(Object.keys(ERROR_CODES).sort());
    expect(new Set(Object.values(ERROR_CODES).map(({ title }) => title)).size).toBe(CODES.length);
  });

  it('is not whatever an object happens to have', () => {
    for (const other of ['toString', '__proto__', '', 404, null, undefined]) expect(isErrorCode(other)).toBe(false);
    expect(isErrorCode('not_found')).toBe(true);
  });
});

describe('toProblem', () => {
  const secret = 'password=hunter2 at /srv/app.ts:12';

  it.each<[string, unknown]>([
    ['an Error', new Error(secret)],
    ['a thrown text', secret],
    ['an object', { message: secret, code: 'not_found' }],
    ['an internal CairnError', new CairnError('internal', secret, { internal: secret, cause: new Error(secret) })],
    ['nothing', undefined],
  ])('says nothing of %s but the request id', (_what, error) => {
    const problem = toProblem(error, 'req-2');
    expect(problem).toMatchObject({ status: 500, code: 'internal', request_id: 'req-2' });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it.each(CODES.filter(([, status]) => status >= 500))('keeps internal text and cause of %s inside', (code) => {
    const error = new CairnError(code, 'Public.', { internal: secret, cause: new Error(secret) });
    expect(JSON.stringify(toProblem(error, 'r'))).not.toContain('hunter2');
  });

  it('names the wrong places of a request, the first in the detail', () => {
    const errors = [
      { path: 'documents.0.title', message: 'is too long' },
      { path: 'x', message: 'unknown field' },
    ];
    expect(toProblem(validationFailed(errors), 'r')).toMatchObject({
      detail: 'documents.0.title: is too long',
      errors,
    });
    expect(toProblem(validationFailed([{ path: '', message: 'is not an object' }]), 'r').detail).toBe(
      'request: is not an object',
    );
  });

  it('carries the way out of a plan’s limit', () => {
    const upgrade = {
      resource: 'workspaces',
      limit: 3,
      current: 3,
      plan: 'team',
      suggested_plan: null,
      upgrade_url: null,
      note: 'n',
    };
    expect(toProblem(new CairnError('plan_limit_reached', 'Full.', { upgrade }), 'r').upgrade).toEqual(upgrade);
  });

  it('has no fields beside those of D1', () => {
    const fields = ['code', 'detail', 'request_id', 'status', 'title', 'type'];
    expect(Object.keys(toProblem(notFound('The key'), 'r')).sort()).toEqual(fields);
  });

  it('says what was looked for, not whether it exists elsewhere', () => {
    expect(toProblem(notFound('The key'), 'r').detail).toBe('The key was not found.');
  });
});

describe('problemHeaders', () => {
  it.each(CODES.filter(([, status]) => status === 401))('tell the client of %s how to authenticate', (code) => {
    expect(problemHeaders(new CairnError(code, ''))['www-authenticate']).toMatch(/ApiKey header="x-api-key", Bearer/);
  });

  it.each(CODES.filter(([, status]) => status !== 401))('ask for no authentication after %s', (code) => {
    expect(problemHeaders(new CairnError(code, ''))).not.toHaveProperty('www-authenticate');
  });

  it.each<[number | undefined, ErrorCode, string | undefined]>([
    [undefined, 'unavailable', '1'],
    [30, 'unavailable', '30'],
    [0.2, 'rate_limited', '1'],
    [1.2, 'rate_limited', '2'],
    [0, 'rate_limited', '1'],
    [undefined, 'rate_limited', undefined],
    [undefined, 'not_found', undefined],
  ])('with %p seconds for %s give Retry-After %p: whole seconds, at least one', (retryAfterSeconds, code, header) => {
    const extras = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    expect(problemHeaders(new CairnError(code, '', extras))['retry-after']).toBe(header);
  });

  it('name the protocol that an upgrade is required to', () => {
    expect(problemHeaders(new CairnError('upgrade_required', ''))).toEqual({
      upgrade: 'websocket',
      connection: 'upgrade',
    });
  });

  it('are none for what is not ours', () => {
    expect(problemHeaders(new Error('x'))).toEqual({});
  });
});

describe('problemContentType', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    ['application/problem+xml', 'application/json'],
    ['application/problem+json', 'application/problem+json'],
    ['text/html, Application/Problem+JSON;q=0.5, */*', 'application/problem+json'],
  ])('for Accept %p is %s', (accept, type) => {
    expect(problemContentType(accept)).toBe(`${type}; charset=utf-8`);
  });
});
