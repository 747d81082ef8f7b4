import * as operations from '@cairn/contracts';
import { type BoundOperation, handle } from '@cairn/service-kit';
import { listAuditEvents } from './audit/list-audit-events.ts';
import { readCredits, type ReadCreditsDeps } from './credits/read-credits.ts';
import { readLlmUsage } from './rollups/read-llm-usage.ts';

/** The operations of this service, bound to their handlers. */
export function boundOperations(deps: ReadCreditsDeps): BoundOperation[] {
  return [
    handle(operations.readLlmUsage, (request) => readLlmUsage(deps, request)),
    handle(operations.listAuditEvents, (request) => listAuditEvents(deps, request)),
    handle(operations.readCredits, (request) => readCredits(deps, request)),
  ];
}
