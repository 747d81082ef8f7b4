import type { MemoryScope } from '../document-store.ts';
import type { MemorySettings, SpaceSettings } from '../ingest/memory-settings.ts';
import type { ReadyDocument } from '../ingest/index-prepared.ts';
import type { WorkerParts } from '../ingest/worker-parts.ts';
import { routerOf } from './space-profiles.ts';

/** A document that knows where it goes; `route` is null when that was settled before. */
export interface PlacedDocument extends ReadyDocument {
  route: DocumentRoute | null;
}

export interface DocumentRoute {
  /** Null: the memory's root vault. */
  space: SpaceSettings | null;
  confidence: number;
  needsReview: boolean;
}

/** Classifies those documents that name no space into the spaces of the memory. */
export async function placeDocuments(
  parts: Pick<WorkerParts, 'database'>,
  scope: MemoryScope,
  documents: readonly ReadyDocument[],
  settings: MemorySettings,
): Promise<PlacedDocument[]> {
  const { spaces } = settings;
  // Without spaces there is nothing to choose between, and nothing to review.
  if (spaces.length === 0 || !documents.some((document) => document.isToBeRouted))
    return documents.map((document) => ({ ...document, route: null }));
  const router = await routerOf(parts.database, scope, spaces);
  return documents.map((document) => {
    if (!document.isToBeRouted) return { ...document, route: null };
    const { spaceId, confidence, needsReview } = router.route(document.prepared.terms);
    const space = spaces.find((known) => known.spaceId === spaceId) ?? null;
    return { ...document, route: { space, confidence, needsReview } };
  });
}
