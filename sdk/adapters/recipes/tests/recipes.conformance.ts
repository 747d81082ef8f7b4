import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Cairn } from '@cairn/sdk';
import {
  type ModelCall,
  type ModelServer,
  type RunningCairn,
  startCairn,
  startModelServer,
  textReply,
} from '@cairn/testing';
import { OpenAIChatCompletionsModel } from '@openai/agents';
import OpenAI from 'openai';
import { ask as askMastra } from '../src/mastra.ts';
import { ask as askOpenAiAgents } from '../src/openai-agents.ts';

const QUESTION = 'What did the walker see at the pond?';
const TEXT = 'On Tuesday the walker saw a heron at the pond.';

let cairn: RunningCairn;
let model: ModelServer;
before(async () => {
  cairn = await startCairn({ args: ['--no-demo'] });
  const client = new Cairn({ baseUrl: cairn.baseUrl, apiKey: cairn.apiKey });
  const space = await client.spaces.create({ name: 'Walks' });
  const { documents } = await client.documents.add({ content: TEXT, title: 'Walks', space_id: space.space_id });
  await client.documents.wait(documents);
  // A key that only reads: what the agent is offered follows from it.
  const scopes = ['spaces:read', 'memory:search', 'documents:read'] as const;
  const key = await client.keys.create({ name: 'Agent', scopes: [...scopes] });
  process.env['CAIRN_MCP_URL'] = space.mcp_url;
  process.env['CAIRN_API_KEY'] = key.api_key;
  process.env['OPENAI_AGENTS_DISABLE_TRACING'] = '1';
  model = await startModelServer();
  model.replyWith(searchAndRepeat);
});
after(async () => {
  await model.close();
  await cairn.remove();
});

describe('the recipe for', () => {
  it('each framework stands on the page as it is here', () => {
    const folder = join(import.meta.dirname, '..');
    const page = readFileSync(join(folder, '..', '..', 'docs', 'agents.md'), 'utf8');
    for (const recipe of ['openai-agents.ts', 'mastra.ts'])
      assert.ok(page.includes(`\`\`\`ts\n${readFileSync(join(folder, 'src', recipe), 'utf8')}\`\`\``), recipe);
  });

  it('OpenAI Agents answers from the memory, with tools that only read', async () => {
    const client = new OpenAI({ baseURL: model.baseUrl, apiKey: apiKeyOf(model) });
    const answer = await askOpenAiAgents(new OpenAIChatCompletionsModel(client, 'scripted'), QUESTION);
    assert.match(answer ?? '', /saw a heron/);
    assertReading(toolsOf(model.calls.splice(0)[0]));
  });

  it('Mastra answers from the memory, with tools that only read', async () => {
    const answer = await askMastra({ id: 'custom/scripted', url: model.baseUrl, apiKey: apiKeyOf(model) }, QUESTION);
    assert.match(answer, /saw a heron/);
    assertReading(toolsOf(model.calls.splice(0)[0]));
  });
});

/** Asks the memory first, and then repeats what it said. */
function searchAndRepeat(call: ModelCall) {
  const result = call.body.messages?.find(({ role }) => role === 'tool');
  if (result !== undefined) return textReply(JSON.stringify(result.content));
  const name = toolsOf(call).find((each) => each.endsWith('search_memory')) ?? 'search_memory';
  return { kind: 'tools', calls: [{ name, input: { query: QUESTION } }] } as const;
}

function toolsOf(call: ModelCall | undefined): string[] {
  return (call?.body.tools ?? []).map((tool) => tool.function.name);
}

function apiKeyOf({ apiKeys }: ModelServer): string {
  return [...apiKeys][0]!;
}

function assertReading(offered: readonly string[]): void {
  assert.ok(offered.some((name) => name.endsWith('search_memory')));
  assert.deepEqual(
    offered.filter((name) => /add_document|append_turn/.test(name)),
    [],
  );
}
