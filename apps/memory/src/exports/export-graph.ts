import type * as operations from '@cairn/contracts';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import { describeEntities } from '../graph/query/describe-entities.ts';
import type { EntityPlace } from '../graph/query/entity-order.ts';
import type { GraphDeps } from '../graph/query/graph-deps.ts';
import { searchNames } from '../graph/query/list-entities.ts';
import { presentEntity } from '../graph/query/present-entity.ts';
import { presentFacts } from '../graph/query/present-fact.ts';
import { factsAfter } from '../graph/store/fact-store.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { visibilityOf } from '../memories/visibility.ts';
import { download, type Line } from './write-lines.ts';

/** Each page reads all names to put them in order. */
const ENTITIES_PER_PAGE = 1_000;
const FACTS_PER_PAGE = 500;

/** Every entity and fact of a memory that the caller sees. */
export async function exportGraph(
  deps: GraphDeps,
  context: RequestContext<typeof operations.exportGraph>,
): Promise<FileResponse> {
  const memory = await deps.memories.resolve(context, { memory_id: context.query.memory_id });
  return download(`graph-${memory.memoryId}`, graphLines(deps, memory));
}

async function* graphLines(deps: GraphDeps, memory: TargetMemory): AsyncGenerator<Line[]> {
  yield* entityLines(deps, memory);
  yield* factLines(deps, memory);
}

async function* entityLines(deps: GraphDeps, memory: TargetMemory): AsyncGenerator<Line[]> {
  for (let after: EntityPlace | null = null; ;) {
    const from: EntityPlace | null = after;
    const { found, lines } = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const visible = visibilityOf(memory, closedVaults);
      const wanted = { norm: '', type: null, visible, sort: 'name', after: from, rows: ENTITIES_PER_PAGE } as const;
      const rows = await searchNames(tx, memory, wanted);
      const ids = rows.map(({ entity_id }) => entity_id);
      const described = await describeEntities(tx, memory, ids, visible);
      return {
        found: rows,
        lines: rows.flatMap(({ entity_id, community_id, centrality }): Line[] => {
          const entity = described.get(entity_id);
          return entity === undefined
            ? []
            : [{ type: 'entity', entity: presentEntity(entity, { community_id, centrality }, visible) }];
        }),
      };
    });
    yield lines;
    if (found.length < ENTITIES_PER_PAGE) return;
    after = found.at(-1)!;
  }
}

async function* factLines(deps: GraphDeps, memory: TargetMemory): AsyncGenerator<Line[]> {
  for (let after = ''; ;) {
    const facts = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const visible = visibilityOf(memory, closedVaults);
      return presentFacts(tx, memory, await factsAfter(tx, memory, { after, rows: FACTS_PER_PAGE, visible }), visible);
    });
    yield facts.map((fact) => ({ type: 'fact', fact }));
    if (facts.length < FACTS_PER_PAGE) return;
    after = facts.at(-1)!.fact_id;
  }
}
