import type { Space } from '@cairn/sdk';

/** What most clients of the Model Context Protocol take, with the key in it once there is one. */
export function configurationOf(space: Pick<Space, 'slug' | 'mcp_url'>, key: string | undefined): string {
  const server = { type: 'http', url: space.mcp_url, headers: { 'x-api-key': key ?? '${CAIRN_API_KEY}' } };
  return JSON.stringify({ mcpServers: { [`cairn-${space.slug}`]: server } }, null, 2);
}
