import { describe, expect, it } from '@jest/globals';
import { samplesOf } from './samples.ts';

const ORIGIN = 'https://cairn.example';

describe('a call to copy', () => {
  it('names the ids and filters on the screen in every language', () => {
    const call = {
      name: 'documents.get',
      method: 'GET' as const,
      path: '/memory/documents/doc_1',
      ids: ['doc_1'],
      query: { memory_id: 'mem_1', space_id: undefined },
    };
    const { curl, typescript, python } = samplesOf(call, ORIGIN);
    expect(curl).toContain(`'https://cairn.example/api/v1/memory/documents/doc_1?memory_id=mem_1'`);
    expect(typescript).toContain('cairn.documents.get("doc_1", { memory_id: "mem_1" })');
    expect(python).toContain('cairn.documents.get("doc_1", memory_id="mem_1")');
    expect(curl).not.toContain('space_id');
  });

  it('cannot leave the quotes of the shell', () => {
    const call = {
      name: 'search.query',
      method: 'POST' as const,
      path: '/memory/search',
      body: { query: "it's; rm -rf" },
    };
    expect(samplesOf(call, ORIGIN).curl).toContain(String.raw`-d '{"query":"it'\''s; rm -rf"}'`);
  });

  it('speaks Python in Python', () => {
    const call = {
      name: 'oauthClients.list',
      method: 'GET' as const,
      path: '/oauth-clients',
      query: { revoked: true },
    };
    expect(samplesOf(call, ORIGIN).python).toContain('cairn.oauth_clients.list(revoked=True)');
  });

  it('never holds a key', () => {
    const call = { name: 'account.whoami', method: 'GET' as const, path: '/whoami' };
    const { curl, typescript, python } = samplesOf(call, ORIGIN);
    for (const text of [curl, typescript, python]) expect(text).toContain('CAIRN_API_KEY');
  });
});
