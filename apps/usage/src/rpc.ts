import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ChargeService, ChargeState, UsageErasureService, UsageOperatorService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc, type RpcContext } from '@cairn/service-kit';
import { listUnpriced } from './calls/list-unpriced.ts';
import type { ChargeRow } from './credits/charge-store.ts';
import { endCharge } from './credits/end-charge.ts';
import { readAccount } from './credits/read-account.ts';
import { reserveCharge, type ReserveParts } from './credits/reserve-charge.ts';
import { priceCall } from './prices/price-call.ts';
import { rebuildRollups } from './rollups/rebuild.ts';
import { eraseTenant } from './tenants/erase-tenant.ts';

export interface RpcParts extends ReserveParts {
  maintenanceDatabase: Database;
}

const STATES = {
  reserved: ChargeState.RESERVED,
  settled: ChargeState.SETTLED,
  released: ChargeState.RELEASED,
} as const;
const CHARGING_SERVICE = 'research';

/** The calls other parts make of this service. */
export function rpcServices(parts: RpcParts): BoundService[] {
  return [chargeRpc(parts), erasureRpc(parts), operatorRpc(parts)];
}

function chargeRpc(parts: RpcParts): BoundService {
  const mayCharge = (context: RpcContext) => requireService(context, CHARGING_SERVICE);
  return rpc(ChargeService, {
    async reserveCharge(request, context) {
      mayCharge(context);
      return { charge: chargeMessage(await reserveCharge(parts, request)) };
    },
    async settleCharge(request, context) {
      mayCharge(context);
      return { charge: chargeMessage(await endCharge(parts, request, 'settled')) };
    },
    async releaseCharge(request, context) {
      mayCharge(context);
      return { charge: chargeMessage(await endCharge(parts, request, 'released')) };
    },
    async getBalance(request, context) {
      mayCharge(context);
      const { balance, livemode } = await readAccount(parts, request.tenantId);
      return { balanceMicroCredits: BigInt(balance), charged: livemode };
    },
    async priceCall(request, context) {
      mayCharge(context);
      const { costNanoUsd } = priceCall(parts.prices.current(), {
        ...{ occurredAtMs: parts.now().getTime(), livemode: true, byok: false, coveredByRun: true },
        ...{ provider: request.provider, model: request.model },
        inputTokens: Number(request.inputTokens),
        outputTokens: Number(request.outputTokens),
        cachedInputTokens: Number(request.cachedInputTokens),
        cacheWriteTokens: Number(request.cacheWriteTokens),
      });
      return costNanoUsd === null ? {} : { nanoUsd: BigInt(costNanoUsd) };
    },
  });
}

function erasureRpc(parts: RpcParts): BoundService {
  return rpc(UsageErasureService, {
    async eraseTenant(request, context) {
      requireService(context, 'tenancy');
      return { finished: await eraseTenant(parts, request.tenantId) };
    },
  });
}

function operatorRpc(parts: RpcParts): BoundService {
  return rpc(UsageOperatorService, {
    async rebuildRollups(request, context) {
      requireService(context, 'operator');
      const found = await rebuildRollups(parts, {
        fromMonth: monthNamed('from_month', request.fromMonth),
        toMonth: monthNamed('to_month', request.toMonth),
        tenantId: request.tenantId === '' ? null : request.tenantId,
        check: request.check,
      });
      return {
        calls: BigInt(found.calls),
        rollupRows: BigInt(found.rollupRows),
        differingRows: BigInt(found.differingRows),
        differences: found.differences,
      };
    },
    async listUnpriced(_request, context) {
      requireService(context, 'operator');
      const models = await listUnpriced(parts.maintenanceDatabase);
      return {
        models: models.map(({ provider, model, calls, last_called_at }) => ({
          provider,
          model,
          calls: BigInt(calls),
          lastCalledAt: timestampFromDate(last_called_at),
        })),
      };
    },
  });
}

function monthNamed(path: string, text: string): string | null {
  if (text === '') return null;
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text))
    throw validationFailed([{ path, message: 'must be formatted as YYYY-MM' }]);
  return `${text}-01`;
}

function chargeMessage(charge: ChargeRow) {
  return {
    tenantId: charge.tenant_id,
    runId: charge.run_id,
    charge: charge.charge,
    microCredits: BigInt(charge.micro_credits),
    state: STATES[charge.state],
    reservedAt: timestampFromDate(charge.reserved_at),
    expiresAt: timestampFromDate(charge.expires_at),
    priceVersion: charge.price_version,
  };
}
