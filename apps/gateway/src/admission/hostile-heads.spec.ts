import { describe, expect, it } from '@jest/globals';
import { notFound } from '@cairn/errors';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { assertWellFormedHead } from './request-bounds.ts';
import corpus from './hostile-heads.corpus.json' with { type: 'json' };
import { createMemoryHosts } from './memory-host.ts';
import { stripResponseHeaders, stripTrustHeaders } from './trust-headers.ts';

/** What a service must never see from a caller, said without the pattern that the code uses. */
const FORBIDDEN_BEGINNINGS = [
  'x-cairn-',
  'x-tenant',
  'x-user',
  'x-forwarded',
  'x-original-',
  'x-rewrite-',
  'x-http-method',
];
const FORBIDDEN = [
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-method-override',
  'proxy',
  'cookie',
  'cookie2',
];
const HOP_BY_HOP =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade http2-settings'.split(
    ' ',
  );
const KEPT_ALWAYS = ['content-length', 'transfer-encoding', 'host', 'x-request-id'];

const folded = (name: string) => name.split('_').join('-');
const isForbidden = (name: string) =>
  FORBIDDEN.includes(folded(name)) ||
  FORBIDDEN_BEGINNINGS.some((beginning) => folded(name).startsWith(beginning)) ||
  (name !== folded(name) && ['x-api-key', 'authorization'].includes(folded(name)));

function nominated(connection: string): string[] {
  const tokens: string[] = [];
  for (const part of connection.split(',')) {
    const token = part.trim().toLowerCase();
    if (token !== '' && !KEPT_ALWAYS.includes(token)) tokens.push(token);
  }
  return tokens;
}

const word = fc.constantFrom(
  ...'x cairn tenant user forwarded real ip for client true cf connecting original rewrite http method override'.split(
    ' ',
  ),
  ...'proxy te trailer upgrade api key authorization host content length id accept a'.split(' '),
);
const name = fc
  .array(fc.tuple(word, fc.constantFrom('-', '_', '--')), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([text, joint], n) => (n === 0 ? text : joint + text)).join(''));
const known = fc.constantFrom(
  ...FORBIDDEN,
  ...HOP_BY_HOP,
  ...KEPT_ALWAYS,
  'x-cairn-identity',
  'x-api-key',
  'accept-language',
);
const headerName = fc.oneof(name, known);
const connection = fc
  .array(fc.tuple(headerName, fc.constantFrom(',', ' , ', ',,', '\t,')), { maxLength: 4 })
  .map((parts) => parts.map(([token, joint], n) => (n % 2 === 0 ? token : token.toUpperCase()) + joint).join(''));
const headers = fc
  .tuple(fc.dictionary(headerName, fc.string({ maxLength: 8 })), fc.option(connection, { nil: undefined }))
  .map(([rest, value]): IncomingHttpHeaders => ({ ...rest, ...(value === undefined ? {} : { connection: value }) }));

describe('any head', () => {
  it('loses exactly what a caller may not say: nothing forbidden passes, nothing else is lost', () => {
    fc.assert(
      fc.property(headers, (all) => {
        const hop = [...HOP_BY_HOP, ...nominated(String(all.connection ?? ''))];
        const expected = Object.keys(all).filter((each) => !hop.includes(each) && !isForbidden(each));
        const kept = { ...all };
        stripTrustHeaders(kept);
        expect(Object.keys(kept).sort()).toEqual(expected.sort());
      }),
      { numRuns: specCases(1_500) },
    );
  });

  it('of a response loses hop-by-hop headers and those that only the gateway may set', () => {
    fc.assert(
      fc.property(headers, (all) => {
        const hop = [...HOP_BY_HOP, ...nominated(String(all.connection ?? ''))];
        const ours = (each: string) =>
          folded(each).startsWith('x-cairn-') || ['x-powered-by', 'server', 'x-request-id'].includes(folded(each));
        const kept = { ...all };
        stripResponseHeaders(kept);
        expect(Object.keys(kept).sort()).toEqual(
          Object.keys(all)
            .filter((each) => !hop.includes(each) && !ours(each))
            .sort(),
        );
      }),
      { numRuns: specCases(600) },
    );
  });

  it.each(corpus.stripped)(
    '$header beside Connection: $connection is kept: $kept',
    ({ header, connection: said, kept }) => {
      const all: IncomingHttpHeaders = { connection: said, [header]: 'a' };
      stripTrustHeaders(all);
      expect(header in all).toBe(kept);
    },
  );
});

function wellFormed(host: string): boolean {
  const request = { url: '/', httpVersion: '1.1', headers: { host }, rawHeaders: ['Host', host] };
  try {
    assertWellFormedHead(request as unknown as IncomingMessage);
    return true;
  } catch {
    return false;
  }
}

/** Which memory is asked for under a host: its label, null for the base address, `nobody` without a question. */
async function memoryOf(host: string): Promise<string | null> {
  let asked: string | null = null;
  const tenancy = {
    async findMemoryHost({ subdomain = '' }) {
      asked = subdomain;
      throw notFound('The memory');
    },
  };
  const hosts = createMemoryHosts(tenancy as never, 'mem.test');
  const found = await hosts.find(host).catch(() => 'nobody');
  expect(hosts.isMemoryHost(host)).toBe(found !== null);
  return found === null ? null : (asked ?? 'nobody');
}

/** The same by taking the text apart. */
function expectedMemory(host: string): string | null {
  const name = host.startsWith('[') ? host : host.split(':')[0]!;
  const labels = name.toLowerCase().split('.');
  if (labels.at(-1) === '') labels.pop();
  if (labels.length < 3 || labels.slice(-2).join('.') !== 'mem.test') return null;
  const own = labels.slice(0, -2);
  const isLabel = own.length === 1 && own[0]!.length <= 63 && [...own[0]!].every((char) => LABEL_CHARS.includes(char));
  return isLabel && !own[0]!.startsWith('-') && !own[0]!.endsWith('-') ? own[0]! : 'nobody';
}

const LABEL_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789-';
const piece = fc.constantFrom(
  'mine',
  '.mem.test',
  'MEM',
  'mem.test',
  '.',
  ':80',
  ':',
  '[::1]',
  '127.0.0.1',
  '-',
  '_',
  'a'.repeat(63),
);
const hostile = fc.constantFrom('@', '/', '\\', '%2e', ' ', '\t', '\u00e9', ',', '#', '?', '\0', '\u3002', '\uff0e');
const host = fc
  .array(fc.oneof({ weight: 9, arbitrary: piece }, { weight: 1, arbitrary: hostile }), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

describe('any Host', () => {
  it('that is let in is one name and one port, and is of the memory that its text says', async () => {
    await fc.assert(
      fc.asyncProperty(host, async (text) => {
        if (!wellFormed(text)) return;
        expect(text).toMatch(/^[\w.:[\]-]+$/);
        expect(await memoryOf(text)).toBe(expectedMemory(text));
      }),
      { numRuns: specCases(1_500) },
    );
  });

  it.each(corpus.hosts)(
    '$host: well-formed $wellFormed, memory $label',
    async ({ host: text, wellFormed: good, label }) => {
      expect(wellFormed(text)).toBe(good);
      if (good) expect(await memoryOf(text)).toBe(label);
    },
  );
});
