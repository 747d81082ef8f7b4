import { timeSlice } from '@cairn/background';
import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { type DecisionRow, decisionsAbout } from '../store/decision-store.ts';
import { keyText, similarityKeys, compareNames, type NameKey } from '../names/name-similarity.ts';
import {
  similarNames,
  namesByKeyText,
  namesByNumber,
  namesOfEntities,
  type NameRow,
  saveEntities,
} from '../store/name-store.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** Names that one resolution looks at, at most; what lies further away stays as it is. */
const NAMES_MAX = 3_000;
const ROUNDS_MAX = 12;
/** Of a name that resembles many others, the most similar ones are worth a person's time. */
const REVIEWS_PER_NAME_MAX = 8;
export const ALIAS_OF = 'alias_of';

interface Resolution {
  /** Entities that were not there before. */
  created: string[];
  /** Entities that lost or won a name that was another's. */
  changed: Set<string>;
  /** Names that belong to another entity than before, and to which. */
  moved: Map<number, string>;
}

/** Where a resolution begins. */
interface Touched {
  names: readonly NameRow[];
  /** Names that are there no longer: those written like them in another class may be one now. */
  gone: readonly NameRow[];
  entityIds: readonly string[];
}

/**
 * Resolves again which names are one entity, for these names and all that is connected to them. Names, alias statements
 * and persons' decisions determine it alone: the order in which documents came does not. An entity keeps its id as long as
 * the eldest of its names lives on in it.
 */
export async function resolveNames(tx: Tx, scope: MemoryScope, touched: Touched): Promise<Resolution> {
  const { known, alike } = await neighbourhood(tx, scope, touched);
  const names = [...known.values()].sort((a, b) => a.name_no - b.name_no);
  const decisions = await decisionsAbout(tx, scope, names.map(keyText));
  const aliases = await aliasLinks(tx, scope, names);
  const groups = groupsOf(names, await linksBetween(names, decisions, aliases));
  const resolution = assignEntities(groups);
  const [added, moved]: [NameRow[], NameRow[]] = [[], []];
  for (const { name_no, entity_id } of resolution.changes) {
    const name = known.get(name_no)!;
    (name.entity_id === '' ? added : moved).push(name);
    name.entity_id = entity_id;
  }
  await saveEntities(tx, scope, { added, moved });
  await insertReviews(
    tx,
    scope,
    await reviewsOf(touched.names, [...names, ...alike.filter((row) => !known.has(row.name_no))], decisions),
  );
  return resolution;
}

/** The names that the touched ones could be one with, through any number of links. */
async function neighbourhood(
  tx: Tx,
  scope: MemoryScope,
  touched: Touched,
): Promise<{ known: Map<number, NameRow>; alike: NameRow[] }> {
  const known = new Map<number, NameRow>();
  const add = (rows: readonly NameRow[]) =>
    rows.filter((row) => !known.has(row.name_no)).map((row) => (known.set(row.name_no, row), row));
  let alike: NameRow[] | null = null;
  const goneNorms = new Set(touched.gone.map((name) => name.norm));
  const left = goneNorms.size === 0 ? [] : await similarNames(tx, scope, touched.gone);
  let fresh = add([
    ...touched.names,
    ...(await namesOfEntities(tx, scope, touched.entityIds)),
    ...left.filter((row) => goneNorms.has(row.norm)),
  ]);
  for (let round = 0; fresh.length > 0 && round < ROUNDS_MAX && known.size < NAMES_MAX; round += 1) {
    const candidates = await similarNames(tx, scope, fresh);
    alike ??= candidates;
    const near = add(await related(fresh, candidates));
    const decided = await decisionsAbout(tx, scope, [...fresh, ...near].map(keyText));
    const keys = [...new Set(decided.flatMap((decision) => decision.names))].filter(
      (key) => ![...known.values()].some((row) => keyText(row) === key),
    );
    const named = keys.length === 0 ? [] : add(await namesByKeyText(tx, scope, keys));
    const aliased = add(await namesByNumber(tx, scope, (await aliasLinks(tx, scope, fresh)).flat()));
    const members = add(
      await namesOfEntities(
        tx,
        scope,
        [...near, ...named, ...aliased].map((row) => row.entity_id).filter((id) => id !== ''),
      ),
    );
    fresh = [...near, ...named, ...aliased, ...members];
  }
  return { known, alike: alike ?? [] };
}

/** Those of the candidates whose identity may hang on one of `names`. */
async function related(names: readonly NameRow[], candidates: readonly NameRow[]): Promise<NameRow[]> {
  const byNorm = new Set(names.map((name) => name.norm));
  const bySimilarity = indexBySimilarity(names);
  const slice = timeSlice();
  const near: NameRow[] = [];
  for (const candidate of candidates) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const isNear =
      byNorm.has(candidate.norm) ||
      alikeAmong(bySimilarity, candidate).some((name) => compareNames(name, candidate).outcome === 'same');
    if (isNear) near.push(candidate);
  }
  return near;
}

function indexBySimilarity(names: readonly NameRow[]): Map<string, NameRow[]> {
  const index = new Map<string, NameRow[]>();
  for (const name of names) {
    const { a, b } = similarityKeys(name);
    for (const key of [a, b]) {
      if (key === null) continue;
      const group = index.get(key);
      if (group === undefined) index.set(key, [name]);
      else group.push(name);
    }
  }
  return index;
}

function alikeAmong(index: ReadonlyMap<string, NameRow[]>, name: NameKey): NameRow[] {
  const { a, b } = similarityKeys(name);
  return [a, b].flatMap((key) => (key === null ? [] : (index.get(key) ?? [])));
}

/** Pairs of numbers that a document says mean the same. */
async function aliasLinks(tx: Tx, scope: MemoryScope, names: readonly NameRow[]): Promise<[number, number][]> {
  if (names.length === 0) return [];
  const rows = await tx.query<{ source: number; target: number }>({
    name: 'graph_alias_links',
    text: `SELECT link.source, link.target FROM unnest($3::bigint[]) AS wanted (w)
            CROSS JOIN LATERAL (
              SELECT source, target FROM graph_links WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND source = w AND type = '${ALIAS_OF}'
              UNION ALL
              SELECT source, target FROM graph_links WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND target = w AND type = '${ALIAS_OF}'
              LIMIT 50) AS link`,
    values: [scope.tenantId, scope.memoryId, names.map((name) => name.name_no)],
  });
  return rows.map((row) => [row.source, row.target]);
}

type Link = readonly [NameRow, NameRow];

async function linksBetween(
  names: readonly NameRow[],
  decisions: readonly DecisionRow[],
  aliases: readonly [number, number][],
): Promise<Link[]> {
  const byKey = new Map(names.map((name) => [keyText(name), name]));
  const byNumber = new Map(names.map((name) => [name.name_no, name]));
  const automatic: Link[] = [
    ...(await spelledAlike(names)),
    ...acrossClasses(names),
    ...aliases.flatMap(([a, b]): Link[] =>
      byNumber.has(a) && byNumber.has(b) ? [[byNumber.get(a)!, byNumber.get(b)!]] : [],
    ),
  ];
  let links = automatic;
  // The later decision of two that speak of the same names holds.
  for (const decision of decisions) {
    const members = decision.names.flatMap((key) => byKey.get(key) ?? []);
    if (decision.kind === 'merge') links = [...links, ...members.slice(1).map((member): Link => [members[0]!, member])];
    else if (decision.kind === 'different')
      links = links.filter(([a, b]) => !(members.includes(a) && members.includes(b)));
    else if (decision.doc_ids.length === 0) {
      const apart = new Set(members);
      links = links.filter(([a, b]) => apart.has(a) === apart.has(b));
      links = [...links, ...members.slice(1).map((member): Link => [members[0]!, member])];
    }
  }
  return links;
}

async function spelledAlike(names: readonly NameRow[]): Promise<Link[]> {
  const links: Link[] = [];
  const slice = timeSlice();
  for (const group of indexBySimilarity(names).values()) {
    for (const [at, a] of group.entries()) {
      if (slice.isOver) await slice.yieldToEventLoop();
      for (let next = at + 1; next < group.length; next += 1)
        if (compareNames(a, group[next]!).outcome === 'same') links.push([a, group[next]!]);
    }
  }
  return links;
}

/**
 * A name of no class is the one of its normal form that has a class, unless several have. Of several words it is one
 * thing, whether a text shows a person, an organisation, a place or a product: that texts guess differently is far more
 * frequent than a firm and its founder by exactly one name, and a split separates those.
 */
function acrossClasses(names: readonly NameRow[]): Link[] {
  const links: Link[] = [];
  for (const [norm, group] of Map.groupBy(
    names.filter((name) => name.sense === ''),
    (name) => name.norm,
  )) {
    const [bare, ...things] = group
      .filter(({ class: known }) => known !== 'code' && (known !== 'person' || norm.includes(' ')))
      .sort((a, b) => Number(b.class === 'other') - Number(a.class === 'other') || (a.class < b.class ? -1 : 1));
    if (norm.includes(' ')) for (const thing of things) links.push([bare!, thing]);
    const classed = group.filter((name) => name.class !== 'other');
    if (bare?.class === 'other' && classed.length === 1) links.push([bare, classed[0]!]);
  }
  return links;
}

function groupsOf(names: readonly NameRow[], links: readonly Link[]): NameRow[][] {
  const parent = new Map(names.map((name) => [name.name_no, name.name_no]));
  const rootOf = (no: number): number => {
    let root = no;
    while (parent.get(root) !== root) root = parent.get(root)!;
    parent.set(no, root);
    return root;
  };
  for (const [a, b] of links) {
    const [x, y] = [rootOf(a.name_no), rootOf(b.name_no)];
    parent.set(Math.max(x, y), Math.min(x, y));
  }
  return [...Map.groupBy(names, (name) => rootOf(name.name_no)).values()];
}

function assignEntities(
  groups: readonly (readonly NameRow[])[],
): Resolution & { changes: { name_no: number; entity_id: string }[] } {
  const changes: { name_no: number; entity_id: string }[] = [];
  const created: string[] = [];
  const changed = new Set<string>();
  const moved = new Map<number, string>();
  const taken = new Set<string>();
  // Names come in the order of their numbers, so that the group with the eldest name of an entity is asked first.
  for (const group of groups) {
    const own = group
      .map((name) => name.entity_id)
      .filter((id) => id !== '' && !taken.has(id))
      .sort();
    const entityId = own[0] ?? newId('entity');
    if (own.length === 0) created.push(entityId);
    taken.add(entityId);
    for (const name of group) {
      if (name.entity_id === entityId) continue;
      changes.push({ name_no: name.name_no, entity_id: entityId });
      if (name.entity_id === '') continue;
      moved.set(name.name_no, entityId);
      changed.add(name.entity_id).add(entityId);
    }
  }
  return { changes, created, changed, moved };
}

interface NewReview {
  a: number;
  b: number;
  similarity: number;
}

async function reviewsOf(
  touched: readonly NameRow[],
  names: readonly NameRow[],
  decisions: readonly DecisionRow[],
): Promise<NewReview[]> {
  const settled = new Set(
    decisions
      .filter((decision) => decision.kind === 'different')
      .map((decision) => [...decision.names].sort().join('\n')),
  );
  const reviews: NewReview[] = [];
  const index = indexBySimilarity(names);
  const slice = timeSlice();
  for (const name of touched) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const own: NewReview[] = [];
    for (const other of alikeAmong(index, name)) {
      if (other.entity_id === name.entity_id) continue;
      const comparison = compareNames(name, other);
      if (comparison.outcome !== 'review') continue;
      if (settled.has([keyText(name), keyText(other)].sort().join('\n'))) continue;
      const [a, b] = [Math.min(name.name_no, other.name_no), Math.max(name.name_no, other.name_no)];
      own.push({ a, b, similarity: comparison.similarity });
    }
    own.sort((one, two) => two.similarity - one.similarity || one.a - two.a || one.b - two.b);
    reviews.push(...own.slice(0, REVIEWS_PER_NAME_MAX));
  }
  return reviews;
}

async function insertReviews(tx: Tx, scope: MemoryScope, reviews: readonly NewReview[]): Promise<void> {
  if (reviews.length === 0) return;
  await tx.execute(
    `INSERT INTO graph_reviews (tenant_id, memory_id, review_id, name_a, name_b, similarity)
     SELECT $1, $2, * FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::float8[])
     ON CONFLICT (tenant_id, memory_id, name_a, name_b) DO NOTHING`,
    [
      scope.tenantId,
      scope.memoryId,
      reviews.map(() => newId('review')),
      reviews.map((review) => review.a),
      reviews.map((review) => review.b),
      reviews.map((review) => review.similarity),
    ],
  );
}
