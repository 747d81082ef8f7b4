import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ChargeService,
  ChargeState,
  CreditUseService,
  UsageErasureService,
  UsageOperatorService,
} from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type BoundService, requireService, rpc, type RpcContext } from '@cairn/service-kit';
import { listUnpriced } from './calls/list-unpriced.ts';
import type { ChargeRow } from './stores/charge-store.ts';
import { endCharge } from './credits/end-charge.ts';
import { getBalance } from './credits/get-balance.ts';
import { getCreditUse } from './credits/get-credit-use.ts';
import { reserveCharge, type ReserveDeps } from './credits/reserve-charge.ts';
import { priceCall } from './prices/price-call.ts';
import { priceModels } from './prices/price-models.ts';
import { rebuildRollups } from './rollups/rebuild-rollups.ts';
import { eraseTenant } from './tenants/erase-tenant.ts';

interface RpcDeps extends ReserveDeps {
  maintenanceDatabase: Database;
}

const STATES = {
  reserved: ChargeState.RESERVED,
  settled: ChargeState.SETTLED,
  released: ChargeState.RELEASED,
} as const;
const CHARGING_SERVICE = 'research';

/** What the other services and the operator call. */
export function rpcServices(deps: RpcDeps): BoundService[] {
  return [chargeRpc(deps), creditUseRpc(deps), erasureRpc(deps), operatorRpc(deps)];
}

function chargeRpc(deps: RpcDeps): BoundService {
  const requireChargingService = (context: RpcContext) => requireService(context, CHARGING_SERVICE);
  return rpc(ChargeService, {
    async reserveCharge(request, context) {
      requireChargingService(context);
      return { charge: chargeMessage(await reserveCharge(deps, request)) };
    },
    async settleCharge(request, context) {
      requireChargingService(context);
      return { charge: chargeMessage(await endCharge(deps, request, 'settled')) };
    },
    async releaseCharge(request, context) {
      requireChargingService(context);
      return { charge: chargeMessage(await endCharge(deps, request, 'released')) };
    },
    async getBalance(request, context) {
      requireChargingService(context);
      const { balance, livemode } = await getBalance(deps, request.tenantId);
      return { balanceMicroCredits: BigInt(balance), charged: livemode };
    },
    async priceCall(request, context) {
      requireChargingService(context);
      const { costNanoUsd } = priceCall(deps.prices.current(), {
        occurredAtMs: deps.now().getTime(),
        livemode: true,
        byok: false,
        coveredByRun: true,
        provider: request.provider,
        model: request.model,
        inputTokens: Number(request.inputTokens),
        outputTokens: Number(request.outputTokens),
        cachedInputTokens: Number(request.cachedInputTokens),
        cacheWriteTokens: Number(request.cacheWriteTokens),
      });
      return costNanoUsd === null ? {} : { nanoUsd: BigInt(costNanoUsd) };
    },
    async priceModels({ models }, context) {
      requireChargingService(context);
      return { prices: priceModels(deps.prices.current(), models, deps.now()) };
    },
  });
}

function creditUseRpc(deps: RpcDeps): BoundService {
  return rpc(CreditUseService, {
    async getCreditUse(request, context) {
      requireService(context, 'tenancy');
      const { used, granted, resetsAt } = await getCreditUse(deps, request.tenantId);
      return {
        usedMicroCredits: BigInt(used),
        grantedMicroCredits: BigInt(granted),
        resetsAt: timestampFromDate(resetsAt),
      };
    },
  });
}

function erasureRpc(deps: RpcDeps): BoundService {
  return rpc(UsageErasureService, {
    async eraseTenant(request, context) {
      requireService(context, 'tenancy');
      return { finished: await eraseTenant(deps, request.tenantId) };
    },
  });
}

function operatorRpc(deps: RpcDeps): BoundService {
  return rpc(UsageOperatorService, {
    async rebuildRollups(request, context) {
      requireService(context, 'operator');
      const found = await rebuildRollups(deps, {
        fromMonth: parseMonth('from_month', request.fromMonth),
        toMonth: parseMonth('to_month', request.toMonth),
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
      const models = await listUnpriced(deps.maintenanceDatabase);
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

function parseMonth(path: string, text: string): string | null {
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
