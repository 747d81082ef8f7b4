import type { ParsedCriterion } from './criteria.ts';
import type { Profile, ProfileSource } from './profile.ts';
import { companyProfiles, personProfiles } from './prose-profiles.ts';
import { type Candidate, resolveEntities } from './entity-resolution.ts';
import { structuredProfiles } from './structured-profiles.ts';
import { type CriterionCheck, verify } from './verify.ts';

/** A candidate, checked condition by condition. */
export interface CheckedCandidate {
  identityKey: string;
  name: string;
  /** In the order of the criteria. */
  checks: CriterionCheck[];
  sources: { source_id: string; title: string; uri: string | null }[];
}

/**
 * All candidates of the sources that meet a condition, those that meet most first, in an order that is stable across
 * take-overs.
 */
export function findCandidates(
  sources: readonly ProfileSource[],
  criteria: readonly ParsedCriterion[],
  kind: 'people' | 'company',
): CheckedCandidate[] {
  const profiles: Profile[] = [];
  for (const source of sources) {
    for (const profile of structuredProfiles(source)) profiles.push(profile);
    for (const profile of kind === 'people' ? personProfiles(source) : companyProfiles(source)) profiles.push(profile);
  }
  const metBy = ({ checks }: CheckedCandidate) => checks.filter(({ met }) => met).length;
  return resolveEntities(profiles, kind)
    .map((candidate) => check(candidate, criteria))
    .filter((candidate) => metBy(candidate) > 0)
    .sort((a, b) => metBy(b) - metBy(a) || (a.identityKey < b.identityKey ? -1 : 1));
}

function check(candidate: Candidate, criteria: readonly ParsedCriterion[]): CheckedCandidate {
  const { identityKey, name, statements } = candidate;
  const sources = new Map(statements.map(({ source_id, title, uri }) => [source_id, { source_id, title, uri }]));
  return {
    identityKey,
    name,
    checks: criteria.map((criterion) => verify(candidate, criterion)),
    sources: [...sources.values()],
  };
}
