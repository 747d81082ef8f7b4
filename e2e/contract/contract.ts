import { expect, it } from '@jest/globals';
import { request } from 'node:http';
import { type SharedCairn, sharedCairn } from '@cairn/testing';
import { api, type ApiAnswer } from '../tests/api.ts';
import { type NewTenant, operator } from '../tests/operator.ts';
import type { DECISION_ROWS } from './decision-rows.ts';
import type { INTERFACE_ROWS } from './interface-rows.ts';
import { FIELDS, type FieldType, type Resource } from './resource-fields.ts';

/** A row of the contract; `<resource>.*` is every field of the resource’s table. */
export type RowId = keyof typeof INTERFACE_ROWS | keyof typeof DECISION_ROWS | `${Resource}.*`;

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  options?: { key?: string | null; headers?: Record<string, string> },
) => Promise<ApiAnswer>;

interface Contract {
  cairn: SharedCairn;
  /** One call as the tenant of this spec file, below /api/v1 unless the path names another place. */
  call: Call;
}

const CASE_TIMEOUT_MS = 90_000;

/** A case of the contract, by the rows that it proves; `coverage.spec.ts` finds the rows that no case names. */
export function proves(
  rows: readonly RowId[],
  sentence: string,
  run: () => Promise<void>,
  timeoutMs = CASE_TIMEOUT_MS,
): void {
  it(`${sentence} [${rows.join(', ')}]`, run, timeoutMs);
}

/**
 * The installation that the files of this suite share, as a tenant of their own. It lets tenants cause requests to this
 * machine, where receivers and sites of the cases listen.
 */
export async function contract(): Promise<Contract> {
  const cairn = await sharedCairn({ CAIRN_ALLOW_PRIVATE_NETWORK: 'true' });
  return { cairn, call: callsOf(cairn) };
}

/** The calls of the tenant that the installation was opened as, or of the key that is given. */
export function callsOf({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Call {
  return (method, path, body, { key = apiKey, headers } = {}) => api(baseUrl, key, method, pathOf(path), body, headers);
}

function pathOf(path: string): string {
  return /^\/(?:api\/|oauth\/|docs|openapi|healthz|research\/|\.well-known\/)/.test(path) ? path : `/api/v1${path}`;
}

/** A further tenant, made by the operator’s command. */
export function newTenant(cairn: { dataDir: string }, plan = 'team'): Promise<NewTenant> {
  return operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Contract', '--plan', plan);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown) => isText(value) && ISO.test(value) && !Number.isNaN(Date.parse(value));
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

const IS_OF_TYPE: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: isText,
  'string[]': (value) => Array.isArray(value) && value.every(isText),
  integer: Number.isInteger,
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'date-time': isTime,
  array: Array.isArray,
  'string-or-null': (value) => value === null || isText(value),
  'date-time-or-null': (value) => value === null || isTime(value),
  'number-or-null': (value) => value === null || isNumber(value),
};

/** Expects every field of the resource’s table with its type, and none of those that this answer must not have. */
export function expectFields(resource: Resource, value: Record<string, unknown>, absent: readonly string[] = []): void {
  const wrong = Object.entries(FIELDS[resource] as Record<string, FieldType>).filter(([field, type]) =>
    absent.includes(field) ? field in value : !(field in value) || !IS_OF_TYPE[type](value[field]),
  );
  expect(wrong.map(([field, type]) => `${field}: ${type}, not ${JSON.stringify(value[field])}`)).toEqual([]);
}

/** Expects a refusal with this status and code; `path` is the field or parameter that it has to name. */
export function expectRefusal(answer: ApiAnswer, status: number, code: string, path?: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  if (path !== undefined) expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
}

/** One call on the host of a memory, which is dialled on this machine. */
export function onMemoryHost(
  { baseUrl, memoryDomain }: SharedCairn,
  subdomain: string,
  { path, key, body, method = 'POST' }: { path: string; key: string; body?: object; method?: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { hostname, port } = new URL(baseUrl);
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    host: `${subdomain}.${memoryDomain}`,
    'x-api-key': key,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path, method, headers }, (response) => {
      let answer = '';
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: answer.startsWith('{') ? JSON.parse(answer) : {} }),
      );
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
