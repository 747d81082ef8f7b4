import { type Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';

interface ReviewRow {
  review_id: string;
  name_a: number;
  name_b: number;
  similarity: number;
  decision: 'same' | 'different' | null;
  created_at: Date;
  entity_a: string;
  entity_b: string;
}

export async function readReviews(
  tx: Tx,
  scope: MemoryScope,
  wanted: { status: string | null; after: string; fetch: number | null; reviewId?: string },
): Promise<ReviewRow[]> {
  return tx.query<ReviewRow>(
    `SELECT review_id, name_a, name_b, similarity, decision, review.created_at, a.entity_id AS entity_a, b.entity_id AS entity_b
       FROM graph_reviews AS review
       JOIN graph_names AS a ON a.tenant_id = $1 AND a.memory_id = $2 AND a.name_no = name_a
       JOIN graph_names AS b ON b.tenant_id = $1 AND b.memory_id = $2 AND b.name_no = name_b
      WHERE review.tenant_id = $1 AND review.memory_id = $2 AND (decision IS NOT NULL OR a.entity_id <> b.entity_id)
        AND ($3::text IS NULL OR $3 = CASE WHEN decision IS NULL THEN 'open' ELSE 'decided' END)
        AND review_id > $4 AND ($6::text IS NULL OR review_id = $6) ORDER BY review_id LIMIT $5`,
    [scope.tenantId, scope.memoryId, wanted.status, wanted.after, wanted.fetch, wanted.reviewId ?? null],
  );
}
