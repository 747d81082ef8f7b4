import type { EntityDescription } from './describe-entities.ts';
import { seesAll, type Visibility } from '../../memories/visibility.ts';

export interface GraphMetrics {
  centrality: number;
  community_id: number;
}

/** Metrics are of the whole memory, so that only those who see all of it are shown them. */
export function presentEntity(entity: EntityDescription, metrics: GraphMetrics, visible: Visibility) {
  const { entity_id, name, type, attributes, documents, aliases } = entity;
  const shown = seesAll(visible) ? metrics : { centrality: 0, community_id: 0 };
  return { entity_id, name, type, attributes, ...shown, document_count: documents, aliases };
}
