import { Effect, GatewayService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { InvalidationTarget, Invalidation } from '@cairn/revocation';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import type { Membership } from './membership.ts';

/** The gRPC methods of this gateway, which keys calls. */
export function rpcServices(membership: Pick<Membership, 'invalidate'>): BoundService[] {
  return [
    rpc(GatewayService, {
      async invalidate(request, context) {
        requireService(context, 'keys');
        const invalidation: Invalidation = {
          invalidated: invalidatedOf(request),
          effect: effectOf(request.effect),
          closes: request.closes,
        };
        return { memberships: [...membership.invalidate(invalidation)] };
      },
    }),
  ];
}

function effectOf(effect: Effect): Invalidation['effect'] {
  if (effect === Effect.DENY) return 'deny';
  if (effect === Effect.RECHECK) return 'recheck';
  throw validationFailed([{ path: 'effect', message: 'unknown effect' }]);
}

function invalidatedOf(request: {
  credentialIds: string[];
  tenantId: string;
  memoryId: string;
  spaceId: string;
}): InvalidationTarget {
  const { credentialIds: ids, tenantId, memoryId, spaceId } = request;
  if (ids.length > 0) return { what: 'credentials', ids };
  // An empty target would invalidate nothing, and yet be acknowledged.
  if (tenantId === '' || (memoryId === '' && spaceId !== ''))
    throw validationFailed([{ path: 'tenant_id', message: 'is required' }]);
  if (memoryId === '') return { what: 'tenant', tenantId };
  return spaceId === '' ? { what: 'memory', tenantId, memoryId } : { what: 'space', tenantId, memoryId, spaceId };
}
