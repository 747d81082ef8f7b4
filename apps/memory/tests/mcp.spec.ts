import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { bootMemory, type BootedMemory, type Caller, type StandInSpace } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
let [one, two] = [] as unknown as [StandInSpace, StandInSpace];
const clients: Client[] = [];
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  [one, two] = [memory.newSpace(caller), memory.newSpace(caller)];
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await memory.close();
});

const boundTo = (space: StandInSpace, more: Partial<Caller['identity']> = {}): Caller => ({
  ...caller,
  identity: { ...caller.identity, kind: 'memory', memoryId: caller.memoryId, spaceId: space.spaceId, ...more },
});

async function connect(as: Caller, space: StandInSpace): Promise<Client> {
  const client = new Client({ name: 'spec', version: '1' });
  const url = new URL(`${memory.url}/api/v1/spaces/${space.spaceId}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: memory.fetchAs(as) as never }) as never);
  clients.push(client);
  return client;
}

type ToolResult = { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, never> };
const use = async (client: Client, name: string, input: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: input })) as unknown as ToolResult;

describe('the MCP endpoint of a space', () => {
  it('lists its tools, takes a document in, finds and shows it, and keeps a conversation, for the official client', async () => {
    const client = await connect(boundTo(one), one);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'add_document',
      'append_turn',
      'explore_graph',
      'read_thread',
      'search_memory',
    ]);

    const added = await use(client, 'add_document', { title: 'Ferry', content: 'The ferry Aurora sails at noon.' });
    const docId = (added.structuredContent as unknown as { doc_id: string }).doc_id;
    const found = await eventually(
      () => use(client, 'search_memory', { query: 'When does the ferry sail?' }),
      (said) => said.content[0]!.text.includes('Aurora'),
    );
    expect(found.content[0]!.text).toMatch(/^The ferry Aurora sails at noon\. \[1\]/);

    // Listed once it is linked, too, which comes after it can be found.
    const { resources } = await eventually(
      () => client.listResources(),
      (listed) => listed.resources.length > 0,
    );
    expect(resources).toEqual([expect.objectContaining({ uri: `cairn://documents/${docId}`, name: 'Ferry' })]);
    const read = await client.readResource({ uri: resources[0]!.uri });
    expect(read.contents[0]).toMatchObject({ text: 'Ferry\n\nThe ferry Aurora sails at noon.' });

    const thread = await memory.call(caller, 'POST', '/api/v1/threads', { title: 'Crossing', space_id: one.spaceId });
    const { thread_id } = thread.body;
    await use(client, 'append_turn', { thread_id, role: 'user', content: 'We speak of the ferry.' });
    await use(client, 'search_memory', { query: 'When does it sail?', thread_id });
    const conversation = await use(client, 'read_thread', { thread_id });
    const told = conversation.structuredContent as unknown as { turn_count: number; turns: { content: string }[] };
    expect(told.turn_count).toBe(3);
    expect(told.turns.map((turn) => turn.content)).toEqual([
      'We speak of the ferry.',
      'When does it sail?',
      'The ferry Aurora sails at noon. [1]',
    ]);
  });

  it('shows nothing of a space to the key of another, to a tenant’s key at another space, nor through statistics', async () => {
    await expect(connect(boundTo(two), one)).rejects.toThrow(/memory_not_permitted/);
    const [ours, theirs] = [await connect(boundTo(one), one), await connect(caller, two)];
    const { resources } = await ours.listResources();
    expect((await theirs.listResources()).resources).toEqual([]);
    await expect(theirs.readResource({ uri: resources[0]!.uri })).rejects.toThrow(/not found/);
    const search = await use(theirs, 'search_memory', { query: 'ferry' });
    expect((search.structuredContent as unknown as { results: unknown[] }).results).toEqual([]);
    const { threads } = (await memory.call(caller, 'GET', '/api/v1/threads')).body;
    const read = await use(theirs, 'read_thread', { thread_id: threads[0].thread_id });
    expect([read.isError, read.content[0]!.text]).toEqual([true, expect.stringContaining('memory_not_permitted')]);

    // The same document alone in another tenant's space, and beside what space one holds: the scores are the same.
    const quiet = memory.newCaller();
    const alone = memory.newSpace(quiet);
    for (const [as, space] of [
      [caller, two],
      [quiet, alone],
    ] as const)
      await memory.ingest(as, [{ content: 'A ferry and a train.', space_id: space.spaceId }]);
    const scoreIn = async (as: Caller, space: StandInSpace) => {
      const said = await use(await connect(as, space), 'search_memory', { query: 'the ferry at noon' });
      return (said.structuredContent as unknown as { results: { score: number }[] }).results.map(({ score }) => score);
    };
    expect(await scoreIn(boundTo(two), two)).toEqual(await scoreIn(quiet, alone));
  });

  it('lists only the tools that the key may use, and says of each whether it changes anything', async () => {
    const hints = async (scopes: Caller['identity']['scopes'], more: Partial<Caller['identity']> = {}) => {
      const { tools } = await (await connect(boundTo(one, { scopes, ...more }), one)).listTools();
      return Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint ?? false]));
    };
    expect(await hints(['spaces:read'])).toEqual({});
    expect(await hints(['spaces:read', 'memory:search'])).toEqual({ search_memory: true });
    expect(await hints(['spaces:read', 'memory:search', 'threads:read', 'graph:read'])).toEqual({
      search_memory: true,
      read_thread: true,
      explore_graph: true,
    });
    expect(await hints(['spaces:read', 'memory:search', 'threads:read', 'threads:write', 'documents:write'])).toEqual({
      search_memory: false,
      read_thread: true,
      append_turn: false,
      add_document: false,
    });
    const readOnly = { appPermissions: { memory: ['read'] } } as const;
    expect(await hints(['spaces:read', 'threads:write', 'memory:search'], readOnly)).toEqual({ search_memory: true });
  });

  it('searches in a thread only for a key that may read and add turns', async () => {
    const { body } = await memory.call(caller, 'POST', '/api/v1/threads', { title: 'Quiet', space_id: one.spaceId });
    const searcher = await connect(boundTo(one, { scopes: ['spaces:read', 'memory:search'] }), one);
    const said = await use(searcher, 'search_memory', { query: 'the ferry', thread_id: body.thread_id });
    const refusal = 'permission_denied: The key lacks scope threads:read and scope threads:write.';
    expect([said.isError, said.content[0]!.text]).toEqual([true, refusal]);
    const thread = await memory.call(caller, 'GET', `/api/v1/threads/${body.thread_id}`);
    expect(thread.body.turn_count).toBe(0);
  });

  it('refuses a tool whose scope the key lacks, and a malformed input, in the protocol’s words', async () => {
    const reader = await connect(boundTo(one, { scopes: ['spaces:read', 'memory:search'] }), one);
    const refused = await use(reader, 'add_document', { content: 'x' });
    expect([refused.isError, refused.content[0]!.text]).toEqual([true, expect.stringContaining('documents:write')]);
    const wrong = await use(reader, 'search_memory', { query: '' });
    expect(wrong.isError).toBe(true);
    const { status } = await memory.call(boundTo(one), 'POST', `/api/v1/spaces/${one.spaceId}/mcp`, '{"jsonrpc":');
    expect(status).toBe(400);
  });

  it('tells a caller nothing of the inside when something breaks', async () => {
    const client = await connect(boundTo(one), one);
    const admin = new pg.Client({ connectionString: memory.database.superuserUrl });
    await admin.connect();
    await admin.query('ALTER TABLE memory.documents RENAME TO documents_away');
    try {
      const said = await use(client, 'search_memory', { query: 'the ferry at noon' });
      expect([said.isError, said.content[0]!.text]).toEqual([true, expect.stringMatching(/^internal: [^"]*$/)]);
      await expect(client.listResources()).rejects.toThrow(/internal: Something went wrong on our side/);
    } finally {
      await admin.query('ALTER TABLE memory.documents_away RENAME TO documents');
      await admin.end();
    }
  });

  it('takes one message a request, so that no list of them passes the rate of one', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const path = `/api/v1/spaces/${one.spaceId}/mcp`;
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await memory.call(boundTo(one), 'POST', path, ping, accept)).status).toBe(200);
    const { status, body } = await memory.call(boundTo(one), 'POST', path, [ping, { ...ping, id: 2 }], accept);
    expect([status, body.error.message]).toEqual([400, 'One message a request.']);
  });
});

describe('a long document', () => {
  it('is read as far as one answer goes, which says that it goes on', async () => {
    const space = memory.newSpace(caller);
    const client = await connect(boundTo(space), space);
    const lines = Array.from({ length: 32_000 }, (_, n) => `Container ${n} went ashore at pier ${n % 7}.`);
    const document = { title: 'Log', content: lines.join('\n\n'), space_id: space.spaceId };
    await memory.call(caller, 'POST', '/api/v1/memory/documents', { documents: [document] });
    const uri = await eventually(
      async () => (await client.listResources()).resources[0]?.uri,
      (found) => found !== undefined,
    );
    const { text } = (await client.readResource({ uri: uri! })).contents[0] as { text: string };
    expect(text).toMatch(/^Log\n\nContainer 0 [^]+\[The document goes on\..+\]$/);
    expect(text.length).toBeLessThan(1_100_000);
  }, 60_000);
});
