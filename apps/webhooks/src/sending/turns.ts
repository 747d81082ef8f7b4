import { LRUCache } from 'lru-cache';

/** Who was served when, so that whoever waited longest is served first. */
export interface Turns {
  ofTenant(tenantId: string): number;
  ofWebhook(webhookId: string): number;
  served(tenantId: string, webhookId: string): void;
}

const REMEMBERED_MAX = 100_000;

export function createTurns(): Turns {
  const turns = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  let turn = 0;
  return {
    ofTenant: (tenantId) => turns.get(tenantId) ?? 0,
    ofWebhook: (webhookId) => turns.get(webhookId) ?? 0,
    served(tenantId, webhookId) {
      turn += 1;
      turns.set(tenantId, turn);
      turns.set(webhookId, turn);
    },
  };
}
