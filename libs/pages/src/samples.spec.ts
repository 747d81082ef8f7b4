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

  it('follows a stream, prints a download, and sends a form without a credential', () => {
    const stream = { name: 'events.stream', method: 'GET' as const, path: '/events/stream', answer: 'stream' as const };
    const streamed = samplesOf(stream, ORIGIN);
    expect(streamed.curl).toMatch(/^curl -N '/);
    expect(streamed.typescript).toContain('for await (const event of cairn.events.stream()) console.log(event);');
    expect(streamed.python).toContain('for event in cairn.events.stream():\n    print(event)');
    const file = { name: 'lists.export', method: 'GET' as const, path: '/lists/export', answer: 'file' as const };
    expect(samplesOf({ ...file, query: { from: '2026-11' } }, ORIGIN).python).toContain(
      'print(cairn.lists.export(from_="2026-11").text)',
    );
    const { curl, typescript } = samplesOf(
      {
        name: 'oauth.issueToken',
        method: 'POST',
        path: '~/oauth/token',
        body: { grant_type: 'client_credentials' },
        isPublic: true,
        isForm: true,
      },
      ORIGIN,
    );
    expect(curl).toBe("curl -X POST 'https://cairn.example/oauth/token' \\\n  -d 'grant_type=client_credentials'");
    expect(typescript).not.toContain('apiKey');
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
