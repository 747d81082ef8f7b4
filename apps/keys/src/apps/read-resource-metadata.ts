import { APP_SCOPES, idPattern } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { issuerOf, resourceOf } from './oauth-addresses.ts';

/** The metadata of RFC 9728 for the MCP endpoint of any space, whether or not there is one. */
export async function readResourceMetadata(
  { baseUrl }: { baseUrl: string },
  { params }: PublicRequestContext<typeof operations.readResourceMetadata>,
): Promise<PublicResponse<typeof operations.readResourceMetadata>> {
  if (!idPattern('space').test(params.space_id)) throw notFound('The space');
  return {
    body: {
      resource: resourceOf(baseUrl, params.space_id),
      authorization_servers: [issuerOf(baseUrl)],
      scopes_supported: [...APP_SCOPES],
      bearer_methods_supported: ['header'],
      resource_name: 'Cairn',
    },
  };
}
