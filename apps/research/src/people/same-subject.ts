import { editDistance, nameKey } from './names.ts';
import type { Fact, Profile } from './profile.ts';

/** One person or company with all that the sources say. */
export interface Candidate extends Profile {
  /** The same however often the run is taken over. */
  identityKey: string;
}

const SPELLING_MAX = 1;

/**
 * Puts profiles of the same person or company together. The same name is the same one unless what is known sets them
 * apart: another e-mail address, or another employer and another place. A like name needs more than the name.
 */
export function mergeProfiles(profiles: readonly Profile[], kind: 'people' | 'company'): Candidate[] {
  const groups: { key: string; profiles: Profile[] }[] = [];
  for (const profile of profiles) {
    const key = kind === 'people' ? nameKey(profile.name) : companyKey(profile.name);
    if (key === '') continue;
    const group = groups.find((known) => isSame(known, { key, profile }, kind));
    if (group === undefined) groups.push({ key, profiles: [profile] });
    else group.profiles.push(profile);
  }
  const used = new Map<string, number>();
  return groups.map(({ key, profiles: same }) => {
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return {
      // The fullest spelling.
      name: same.map(({ name }) => name).sort((a, b) => b.length - a.length)[0]!,
      facts: same.flatMap(({ facts }) => facts),
      statements: same.flatMap(({ statements }) => statements),
      identityKey: count === 1 ? key : `${key} #${count}`,
    };
  });
}

function isSame(
  group: { key: string; profiles: Profile[] },
  { key, profile }: { key: string; profile: Profile },
  kind: 'people' | 'company',
): boolean {
  const facts = group.profiles.flatMap((known) => known.facts);
  const [emails, places, employers] = (['email', 'location', 'employer'] as const).map((wanted) =>
    compare(facts, profile.facts, wanted),
  ) as [Comparison, Comparison, Comparison];
  if (emails === 'same') return true;
  if (group.key === key)
    return kind === 'company' || (emails !== 'other' && !(places === 'other' && employers === 'other'));
  if (kind === 'company') return false;
  const alike =
    editDistance(group.key, key, SPELLING_MAX) <= SPELLING_MAX ||
    isInitialOf(group.key, key) ||
    isInitialOf(key, group.key);
  return alike && places === 'same' && employers === 'same';
}

type Comparison = 'same' | 'other' | 'unknown';

function compare(a: readonly Fact[], b: readonly Fact[], kind: Fact['kind']): Comparison {
  const values = (facts: readonly Fact[]) =>
    new Set(facts.filter((fact) => fact.kind === kind && fact.current).map(({ value }) => plainKey(value)));
  const [mine, theirs] = [values(a), values(b)];
  if (mine.size === 0 || theirs.size === 0) return 'unknown';
  return [...mine].some((value) => [...theirs].some((other) => value.includes(other) || other.includes(value)))
    ? 'same'
    : 'other';
}

/** `j smith` for `john smith`. */
function isInitialOf(short: string, long: string): boolean {
  const [a, b] = [short.split(' '), long.split(' ')];
  return (
    a.length === b.length &&
    a[0]!.length === 1 &&
    b[0]!.startsWith(a[0]!) &&
    a.slice(1).join(' ') === b.slice(1).join(' ')
  );
}

function companyKey(name: string): string {
  return nameKey(name)
    .replace(/\b(?:gmbh|ag|inc|ltd|limited|llc|se|bv|sa|sas|oy|ab|as|plc|kg|co|corp|corporation|company|the)\b/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

export function plainKey(text: string): string {
  return nameKey(text.replace(/^the\s+/i, ''));
}
