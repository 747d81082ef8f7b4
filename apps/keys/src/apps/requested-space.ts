import type { TenancyService } from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { spaceOfResource } from './oauth-addresses.ts';

interface RequestedSpace {
  spaceId: string;
  memoryId: string;
  name: string;
}

/**
 * The space whose MCP endpoint is asked for. Throws `validation_failed` for any other address and `not_found` for a
 * space that the caller's tenant does not have.
 */
export async function requestedSpace(
  { tenancy, baseUrl }: { tenancy: Pick<RpcClient<typeof TenancyService>, 'getSpace'>; baseUrl: string },
  { identityToken, signal }: { identityToken: string; signal: AbortSignal },
  resource: string,
): Promise<RequestedSpace> {
  const spaceId = spaceOfResource(baseUrl, resource);
  if (spaceId === null) throw validationFailed([{ path: 'resource', message: 'is not the mcp_url of a space' }]);
  const { space, memory } = await tenancy.getSpace({ spaceId }, { onBehalfOf: identityToken, signal });
  if (space === undefined || memory === undefined) throw notFound('The space');
  return { spaceId, memoryId: memory.memoryId, name: space.name };
}
