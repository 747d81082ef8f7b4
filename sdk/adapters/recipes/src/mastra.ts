import { Agent, type AgentConfig } from '@mastra/core/agent';
import { MCPClient } from '@mastra/mcp';

export async function ask(model: AgentConfig['model'], question: string): Promise<string> {
  const requestInit = { headers: { 'x-api-key': process.env['CAIRN_API_KEY']! } };
  const memory = new MCPClient({ servers: { cairn: { url: new URL(process.env['CAIRN_MCP_URL']!), requestInit } } });
  try {
    const tools = await memory.listTools();
    const agent = new Agent({
      id: 'librarian',
      name: 'Librarian',
      instructions: 'Answer from the memory.',
      model,
      tools,
    });
    return (await agent.generate(question)).text;
  } finally {
    await memory.disconnect();
  }
}
