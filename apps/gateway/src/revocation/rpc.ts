import { Effect, GatewayService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Narrowed, Narrowing } from '@cairn/revocation';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import type { Membership } from './membership.ts';

/** What keys tells this gateway. */
export function rpcServices(membership: Pick<Membership, 'narrow'>): BoundService[] {
  return [
    rpc(GatewayService, {
      async narrow(request, context) {
        requireService(context, 'keys');
        const narrowing: Narrowing = {
          narrowed: narrowedOf(request),
          effect: effectOf(request.effect),
          closes: request.closes,
        };
        return { memberships: [...membership.narrow(narrowing)] };
      },
    }),
  ];
}

function effectOf(effect: Effect): Narrowing['effect'] {
  if (effect === Effect.DENY) return 'deny';
  if (effect === Effect.RECHECK) return 'recheck';
  throw validationFailed([{ path: 'effect', message: 'is not known' }]);
}

function narrowedOf(request: {
  credentialIds: string[];
  tenantId: string;
  memoryId: string;
  spaceId: string;
}): Narrowed {
  const { credentialIds: ids, tenantId, memoryId, spaceId } = request;
  if (ids.length > 0) return { what: 'credentials', ids };
  // What names nothing would narrow nothing, and be taken for done.
  if (tenantId === '' || (memoryId === '' && spaceId !== ''))
    throw validationFailed([{ path: 'tenant_id', message: 'says too little' }]);
  if (memoryId === '') return { what: 'tenant', tenantId };
  return spaceId === '' ? { what: 'memory', tenantId, memoryId } : { what: 'space', tenantId, memoryId, spaceId };
}
