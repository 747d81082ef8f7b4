import { Agent, MCPServerStreamableHttp, type Model, run } from '@openai/agents';

export async function ask(model: string | Model, question: string): Promise<string | undefined> {
  const headers = { 'x-api-key': process.env['CAIRN_API_KEY']! };
  const memory = new MCPServerStreamableHttp({ url: process.env['CAIRN_MCP_URL']!, requestInit: { headers } });
  await memory.connect();
  try {
    const agent = new Agent({
      name: 'Librarian',
      instructions: 'Answer from the memory.',
      model,
      mcpServers: [memory],
    });
    return (await run(agent, question)).finalOutput;
  } finally {
    await memory.close();
  }
}
