import { LRUCache } from 'lru-cache';

/** When tenants and webhooks were served last, as counts of claims, so that the one that waited longest is first. */
export interface ServiceOrder {
  ofTenant(tenantId: string): number;
  ofWebhook(webhookId: string): number;
  served(tenantId: string, webhookId: string): void;
}

const ENTRIES_MAX = 100_000;

export function createServiceOrder(): ServiceOrder {
  const counts = new LRUCache<string, number>({ max: ENTRIES_MAX });
  let claims = 0;
  return {
    ofTenant: (tenantId) => counts.get(tenantId) ?? 0,
    ofWebhook: (webhookId) => counts.get(webhookId) ?? 0,
    served(tenantId, webhookId) {
      claims += 1;
      counts.set(tenantId, claims);
      counts.set(webhookId, claims);
    },
  };
}
