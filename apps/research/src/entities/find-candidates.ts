import type { ListRequest } from './criteria.ts';
import { type FilledCell, fillColumns } from './fill-columns.ts';
import { type Candidate, resolveEntities } from './entity-resolution.ts';
import type { EntityKind } from './nouns.ts';
import type { Profile, ProfileSource } from './profile.ts';
import { readProfiles } from './read-profiles.ts';
import { structuredProfiles } from './structured-profiles.ts';
import { type CriterionCheck, verify } from './verify.ts';

/** A candidate, checked condition by condition. */
export interface CheckedCandidate {
  identityKey: string;
  name: string;
  /** In the order of the criteria. */
  checks: CriterionCheck[];
  columns: FilledCell[];
  sources: { source_id: string; title: string; uri: string | null }[];
}

/** What the sources say about everybody and everything in them; `everybody`: also those whom they only name. */
export function profilesOf(sources: readonly ProfileSource[], options: { everybody?: boolean } = {}): Profile[] {
  return sources.flatMap((source) => {
    const structured = structuredProfiles(source);
    return structured.length > 0 ? structured : readProfiles(source, options);
  });
}

/**
 * All candidates of the profiles that meet a condition, those that meet most first, in an order that is stable across
 * take-overs.
 */
export function findCandidates(
  profiles: readonly Profile[],
  { criteria, columns }: ListRequest,
  kind: EntityKind,
): CheckedCandidate[] {
  const metBy = ({ checks }: CheckedCandidate) => checks.filter(({ met }) => met).length;
  const surety = ({ checks }: CheckedCandidate) => checks.reduce((sum, { confidence }) => sum + confidence, 0);
  const own = profiles.filter((profile) => (profile.kind ?? kind) === kind);
  return resolveEntities(own, kind === 'person' ? 'people' : 'company')
    .map((candidate) => check(candidate, { criteria, columns }, kind))
    .filter((candidate) => surety(candidate) > 0)
    .sort((a, b) => metBy(b) - metBy(a) || surety(b) - surety(a) || (a.identityKey < b.identityKey ? -1 : 1));
}

function check(candidate: Candidate, { criteria, columns }: ListRequest, kind: EntityKind): CheckedCandidate {
  const { identityKey, name, statements, facts } = candidate;
  const quotes = [...statements, ...facts.map(({ quote }) => quote)];
  const sources = new Map(quotes.map(({ source_id, title, uri }) => [source_id, { source_id, title, uri }]));
  return {
    identityKey,
    name,
    checks: criteria.map((criterion) => verify(candidate, criterion, kind)),
    columns: fillColumns(candidate, columns),
    sources: [...sources.values()],
  };
}
