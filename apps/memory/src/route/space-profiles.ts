import type { Database } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import type { MemoryScope } from '../document-store.ts';
import type { SpaceSettings } from '../ingest/memory-settings.ts';
import { createRouter, type Router, type Terms } from './classify.ts';
import { countTerms } from './terms.ts';

/** Documents of a space that it is learned from: those that were reviewed first, then the newest. */
const LEARNED_MAX = 40;
const CHUNKS_OF_DOCUMENT = 2;
/** What was learned is read again after so long; a review on this replica counts at once. */
const HOLDS_MS = 15_000;
const MEMORIES_KNOWN_MAX = 500;

const known = new LRUCache<string, { spaces: string; router: Router }>({ max: MEMORIES_KNOWN_MAX, ttl: HOLDS_MS });

/** Forgets what was learned of a memory's spaces, because somebody corrected it. */
export function forgetRouter(scope: MemoryScope): void {
  known.delete(nameOf(scope));
}

/** The router of a memory's spaces, from their names, their descriptions and what people put into them. */
export async function routerOf(
  database: Database,
  scope: MemoryScope,
  spaces: readonly SpaceSettings[],
): Promise<Router> {
  const described = JSON.stringify(spaces);
  const found = known.get(nameOf(scope));
  if (found?.spaces === described) return found.router;
  const learned = await learnedFrom(database, scope, spaces);
  const router = createRouter(spaces.map((space) => ({ ...space, learned: learned.get(space.vaultId) ?? [] })));
  known.set(nameOf(scope), { spaces: described, router });
  return router;
}

function nameOf(scope: MemoryScope): string {
  return `${scope.tenantId} ${scope.memoryId}`;
}

/** Words of documents that somebody put into each vault, or confirmed there; what was routed there proves nothing. */
async function learnedFrom(
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
                    FROM ((SELECT doc_id, title, tenant_id, memory_id FROM documents
                            WHERE vault_id = space.vault_id AND reviewed_at IS NOT NULL AND status = 'completed'
                            ORDER BY reviewed_at DESC LIMIT $4)
                          UNION
                          (SELECT doc_id, title, tenant_id, memory_id FROM documents
                            WHERE vault_id = space.vault_id AND intake_vault_id IS NULL AND status = 'completed'
                            ORDER BY doc_id DESC LIMIT $4)) AS document
                   WHERE tenant_id = $1 AND memory_id = $2
                   LIMIT $4) AS example`,
        values: [scope.tenantId, scope.memoryId, spaces.map((space) => space.vaultId), LEARNED_MAX, CHUNKS_OF_DOCUMENT],
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
