import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { linkPassages, linksBetween } from '../store/pair-links.ts';
import { presentEntities } from './describe-entities.ts';
import type { GraphDeps } from './graph-deps.ts';
import { pairOf, presentPassages } from './present-links.ts';

/** The links between two entities, and the passages that state them. */
export async function getEntityLinks(
  deps: GraphDeps,
  context: RequestContext<typeof operations.getEntityLinks>,
): Promise<JsonResponse<typeof operations.getEntityLinks>> {
  const { memory_id, cursor, limit } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  const ids = [context.params.source, context.params.target] as const;
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const presented = await presentEntities(tx, memory, ids, visible);
    const entities = ids.map((entity_id) => {
      const entity = presented.get(entity_id);
      if (entity === undefined) throw notFound('The entity');
      return { entity_id, name: entity.name, type: entity.type };
    });
    const pair = await pairOf(tx, memory, ids, visible);
    const links = await linksBetween(tx, memory, pair);
    const found = await linkPassages(tx, memory, pair, { after: cursor ?? null, rows: limit + 1 });
    const shown = found.slice(0, limit);
    const passages = await presentPassages(tx, memory, shown, pair);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last === undefined ? {} : { next_cursor: `${last.doc_id}.${last.chunk_id}` };
    return { body: { entities, links, passages, ...next } };
  });
}
