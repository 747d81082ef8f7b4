import type { Database } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import type { SpaceSettings } from '../../memories/memory-settings.ts';
import { createRouter, type Router, type Terms } from './classify.ts';
import { countTerms } from './terms.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** Example documents of a space: those that were reviewed first, then the newest. */
const EXAMPLES_MAX = 40;
const CHUNKS_OF_DOCUMENT = 2;
/** Examples are read again after this long; a review on this replica counts at once. */
const CACHED_MS = 15_000;
const MEMORIES_CACHED_MAX = 500;

/** The classifiers that memories were given, one for all engines of the process. */
export interface SpaceRouters {
  /** The router of a memory's spaces, from their names, their descriptions and what people put into them. */
  routerFor(database: Database, scope: MemoryScope, spaces: readonly SpaceSettings[]): Promise<Router>;
  /** Drops what was learned of a memory's spaces, because somebody corrected it. */
  invalidate(scope: MemoryScope): void;
}

export function createSpaceRouters(): SpaceRouters {
  const cached = new LRUCache<string, { spaces: string; router: Router }>({ max: MEMORIES_CACHED_MAX, ttl: CACHED_MS });
  return {
    async routerFor(database, scope, spaces) {
      const described = JSON.stringify(spaces);
      const found = cached.get(cacheKeyOf(scope));
      if (found?.spaces === described) return found.router;
      const examples = await readExamples(database, scope, spaces);
      const router = createRouter(spaces.map((space) => ({ ...space, learned: examples.get(space.vaultId) ?? [] })));
      cached.set(cacheKeyOf(scope), { spaces: described, router });
      return router;
    },
    invalidate: (scope) => void cached.delete(cacheKeyOf(scope)),
  };
}

function cacheKeyOf(scope: MemoryScope): string {
  return `${scope.tenantId} ${scope.memoryId}`;
}

/** Words of documents that somebody put into each vault, or confirmed there; what was routed there proves nothing. */
async function readExamples(
  database: Database,
  scope: MemoryScope,
  spaces: readonly SpaceSettings[],
): Promise<Map<string, Terms[]>> {
  const rows = await database.withTenant(
    scope.tenantId,
    (tx) =>
      tx.query<{ vault_id: string; title: string; text: string }>({
        name: 'routing_examples',
        text: `SELECT space.vault_id, example.title, example.text FROM unnest($3::text[]) AS space (vault_id)
                CROSS JOIN LATERAL (
                  SELECT document.title, (
                           SELECT string_agg(body, E'\\n') FROM (
                             SELECT body FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = document.doc_id
                              ORDER BY ordinal LIMIT $5) AS first_chunks) AS text
                    FROM ((SELECT doc_id, title, tenant_id, memory_id, reviewed_at FROM documents
                            WHERE vault_id = space.vault_id AND reviewed_at IS NOT NULL AND status = 'completed'
                            ORDER BY reviewed_at DESC LIMIT $4)
                          UNION ALL
                          (SELECT doc_id, title, tenant_id, memory_id, reviewed_at FROM documents
                            WHERE vault_id = space.vault_id AND intake_vault_id IS NULL AND reviewed_at IS NULL AND status = 'completed'
                            ORDER BY doc_id DESC LIMIT $4)) AS document
                   WHERE tenant_id = $1 AND memory_id = $2
                   ORDER BY reviewed_at DESC NULLS LAST, doc_id DESC LIMIT $4) AS example`,
        values: [
          scope.tenantId,
          scope.memoryId,
          spaces.map((space) => space.vaultId),
          EXAMPLES_MAX,
          CHUNKS_OF_DOCUMENT,
        ],
      }),
    { mode: 'snapshot' },
  );
  const learned = new Map<string, Terms[]>();
  for (const { vault_id, title, text } of rows) {
    const terms = countTerms([title, text ?? '']);
    learned.set(vault_id, [...(learned.get(vault_id) ?? []), terms]);
  }
  return learned;
}
