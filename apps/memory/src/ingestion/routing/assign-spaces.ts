import type { Database } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { CurrentSettings, SpaceSettings } from '../../memories/memory-settings.ts';
import type { Terms } from './classify.ts';
import type { SpaceRouters } from './space-routers.ts';

/** What routing needs of a document. */
interface RoutableDocument {
  prepared: { terms: Terms };
  isToBeRouted: boolean;
}

/** A document with its route; null when its space was settled before. */
export type WithRoute<Document extends RoutableDocument> = Document & { route: DocumentRoute | null };

interface DocumentRoute {
  /** Null: the memory's root vault. */
  space: SpaceSettings | null;
  confidence: number;
  needsReview: boolean;
}

/** Classifies those documents that name no space into the spaces of the memory. */
export async function assignSpaces<Document extends RoutableDocument>(
  deps: { database: Database; routers: SpaceRouters },
  scope: MemoryScope,
  documents: readonly Document[],
  settings: CurrentSettings,
): Promise<WithRoute<Document>[]> {
  const { spaces } = settings;
  // Without spaces there is nothing to choose between, and nothing to review.
  if (spaces.length === 0 || !documents.some((document) => document.isToBeRouted))
    return documents.map((document) => ({ ...document, route: null }));
  const router = await deps.routers.routerFor(deps.database, scope, spaces);
  return documents.map((document) => {
    if (!document.isToBeRouted) return { ...document, route: null };
    const { spaceId, confidence, needsReview } = router.route(document.prepared.terms);
    const space = spaces.find((known) => known.spaceId === spaceId) ?? null;
    return { ...document, route: { space, confidence, needsReview } };
  });
}
