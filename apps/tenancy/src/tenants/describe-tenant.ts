import type { ResearchFeaturesService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { findTenant } from '../stores/tenant-store.ts';

export interface DescribeTenantDeps {
  database: Database;
  features: Pick<RpcClient<typeof ResearchFeaturesService>, 'getFeatures'>;
}

/** Who asks what a credential is does not wait for a service that is down. */
const FEATURES_TIMEOUT_MS = 1_000;

/** A tenant's name and plan, and what the installation offers as far as research answers. */
export async function describeTenant({ database, features: installation }: DescribeTenantDeps, tenantId: string) {
  const [tenant, features] = await Promise.all([
    database.withTenant(tenantId, findTenant),
    installation.getFeatures({}, { timeoutMs: FEATURES_TIMEOUT_MS }).catch((error: unknown) => {
      if (error instanceof CairnError) return null;
      throw error;
    }),
  ]);
  if (tenant === null) throw notFound('The tenant');
  const { name, plan } = tenant;
  if (features === null) return { name, plan };
  const { languageModels, embeddings, reranking, webSearch, proxy } = features;
  return { name, plan, features: { languageModels, embeddings, reranking, webSearch, proxy } };
}
