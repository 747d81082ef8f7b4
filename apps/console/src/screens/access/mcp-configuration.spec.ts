import { describe, expect, it } from '@jest/globals';
import { configurationOf } from './mcp-configuration.ts';

describe('the configuration of an agent', () => {
  const space = { slug: 'support', mcp_url: 'https://cairn.example/api/v1/spaces/spc_1/mcp' };

  it('names the address of the space, and a variable until there is a key', () => {
    expect(JSON.parse(configurationOf(space, undefined))).toEqual({
      mcpServers: {
        'cairn-support': { type: 'http', url: space.mcp_url, headers: { 'x-api-key': '${CAIRN_API_KEY}' } },
      },
    });
  });

  it('holds the key that was minted for it', () => {
    expect(configurationOf(space, 'mk_1')).toContain('"x-api-key": "mk_1"');
  });
});
