import type { PreparedDocument } from './preparing/prepared-document.ts';
import type { SealedOriginal } from '../documents/original-store.ts';
import type { QueuedDocument } from './queue.ts';
import type { WithRoute } from './routing/assign-spaces.ts';

/** A document that was parsed and screened. */
export interface ReadyDocument {
  document: QueuedDocument;
  prepared: PreparedDocument;
  isToBeRouted: boolean;
  /** What was handed in or fetched, where it is kept; null otherwise. */
  original: SealedOriginal | null;
}

/** A document whose space is known; it can be indexed. */
export type RoutedDocument = WithRoute<ReadyDocument>;
