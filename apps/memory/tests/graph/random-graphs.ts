import fc from 'fast-check';
import type { Tx } from '@cairn/postgres';

export const TYPES = ['led_by', 'works_in', 'co_occurs'];

export interface RandomGraph {
  /** Entity of each name; several names may be one entity. */
  entityOf: number[];
  centrality: number[];
  links: { source: number; target: number; type: number; vault: number; weight: number }[];
}

/** A first and a last name, and between them levels of names that are all linked to those of the next: many shortest paths. */
export const layeredGraph: fc.Arbitrary<RandomGraph> = fc
  .array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 })
  .chain((inner) => {
    const sizes = [1, ...inner, 1];
    const starts = sizes.map((_, level) => sizes.slice(0, level).reduce((sum, size) => sum + size, 0));
    const pairs = sizes
      .slice(1)
      .flatMap((size, level) =>
        Array.from({ length: sizes[level]! * size }, (_, at) => [
          starts[level]! + Math.floor(at / size),
          starts[level + 1]! + (at % size),
        ]),
      );
    const names = sizes.reduce((sum, size) => sum + size, 0);
    return fc
      .array(fc.integer({ min: 1, max: 900 }), { minLength: pairs.length, maxLength: pairs.length })
      .map((weights) => ({
        entityOf: Array.from({ length: names }, (_, at) => at),
        centrality: Array.from({ length: names }, () => 0),
        links: pairs.map(([source, target], at) => ({
          source: source!,
          target: target!,
          type: 0,
          vault: 0,
          weight: weights[at]!,
        })),
      }));
  });

/** Cycles, parallel links, loops, entities of several names, and a hub that half of all links touch. */
export const randomGraph: fc.Arbitrary<RandomGraph> = fc.integer({ min: 2, max: 14 }).chain((names) => {
  const name = fc.oneof(fc.nat({ max: names - 1 }), fc.constant(0));
  return fc.record({
    entityOf: fc.array(fc.nat({ max: Math.max(1, Math.ceil(names * 0.8)) }), { minLength: names, maxLength: names }),
    centrality: fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: names + 1, maxLength: names + 1 }),
    links: fc.uniqueArray(
      fc.record({
        source: name,
        target: name,
        type: fc.nat({ max: 2 }),
        vault: fc.nat({ max: 1 }),
        weight: fc.integer({ min: 1, max: 900 }),
      }),
      { maxLength: 50, selector: (link) => `${link.source} ${link.target} ${link.type} ${link.vault}` },
    ),
  });
});

export const question = fc.record({
  start: fc.nat({ max: 13 }),
  maxHops: fc.integer({ min: 1, max: 6 }),
  types: fc.option(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 2 }), { nil: null }),
  limit: fc.integer({ min: 1, max: 12 }),
  vault: fc.option(fc.nat({ max: 1 }), { nil: null }),
});

export const entityId = (entity: number) => `ent_${String(entity).padStart(5, '0')}`;

export async function store(tx: Tx, scope: { tenantId: string; memoryId: string }, graph: RandomGraph): Promise<void> {
  const rows = await tx.query<{ name_no: number }>(
    `INSERT INTO graph_names (tenant_id, memory_id, norm, class, entity_id, centrality)
     SELECT $1, $2, norm, 'other', entity, centrality FROM unnest($3::text[], $4::text[], $5::float8[]) AS name (norm, entity, centrality) RETURNING name_no`,
    [
      scope.tenantId,
      scope.memoryId,
      graph.entityOf.map((_, at) => `name ${at}`),
      graph.entityOf.map(entityId),
      graph.entityOf.map((entity) => graph.centrality[entity] ?? 0),
    ],
  );
  const numbers = rows.map((row) => row.name_no);
  await tx.execute(
    `INSERT INTO graph_links (tenant_id, memory_id, source, target, type, vault_id, weight)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])`,
    [
      scope.tenantId,
      scope.memoryId,
      graph.links.map((link) => numbers[link.source]!),
      graph.links.map((link) => numbers[link.target]!),
      graph.links.map((link) => TYPES[link.type]!),
      graph.links.map((link) => `vault${link.vault}`),
      graph.links.map((link) => link.weight),
    ],
  );
}
