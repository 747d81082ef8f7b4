import type { Attribute } from './attributes.ts';
import { editDistance, nameKey } from './names.ts';
import type { EntityKind } from './nouns.ts';
import type { Profile } from './profile.ts';

/** One person or company, with everything that the sources say. */
export interface Candidate extends Profile {
  aliases: readonly string[];
  kind: EntityKind | 'other' | null;
  /** Stable across take-overs. */
  identityKey: string;
}

const SPELLING_MAX = 1;

/**
 * Merges profiles of the same person or company. Equal names are the same entity unless known facts distinguish them:
 * another e-mail address, or another employer and another location. Similar names need further evidence.
 */
export function resolveEntities(profiles: readonly Profile[], kind: 'people' | 'company'): Candidate[] {
  const groups: Group[] = [];
  // Blocking index: candidates for a profile's group, so that not every profile is compared with every other.
  const groupsByKey = new Map<string, Group[]>();
  for (const profile of profiles) {
    const key = kind === 'people' ? nameKey(profile.name) : companyKey(profile.name);
    if (key === '') continue;
    const identifiers = identifiersOf(profile);
    const found = new Set(
      blockingKeys(key, identifiers, kind).flatMap((blockingKey) => groupsByKey.get(blockingKey) ?? []),
    );
    const group = [...found]
      .sort((a, b) => a.number - b.number)
      .find((known) => isSame(known, { key, identifiers }, kind));
    if (group === undefined) {
      const created = { number: groups.length, key, identifiers, profiles: [profile] };
      groups.push(created);
      addToIndex(groupsByKey, created, blockingKeys(key, identifiers, kind));
    } else {
      group.profiles.push(profile);
      for (const name of IDENTIFIERS) for (const value of identifiers[name]) group.identifiers[name].add(value);
      addToIndex(
        groupsByKey,
        group,
        blockingKeys(group.key, { ...identifiers, location: new Set(), employer: new Set() }, kind),
      );
    }
  }
  return candidatesOf(groups);
}

const IDENTIFIERS = ['email', 'location', 'employer'] as const;
type Identifiers = Readonly<Record<(typeof IDENTIFIERS)[number], Set<string>>>;

interface Group {
  number: number;
  key: string;
  identifiers: Identifiers;
  profiles: Profile[];
}

/** The facts that distinguish people of the same name, normalised for comparison. */
function identifiersOf({ facts }: Profile): Identifiers {
  const values = (kind: Attribute) =>
    new Set(facts.filter((fact) => fact.kind === kind && fact.current).map(({ value }) => plainKey(value)));
  return { email: values('email'), location: values('location'), employer: values('employer') };
}

/**
 * Blocking keys. Two profiles that may be the same entity share one: the name, the name with one letter deleted (names
 * that differ in one letter share such a form: Mor and Fraenkel 1982), its form with an initial, or an e-mail address.
 */
function blockingKeys(key: string, identifiers: Identifiers, kind: 'people' | 'company'): string[] {
  const emails = [...identifiers.email].map((email) => `@${email}`);
  if (kind === 'company') return [key, ...emails];
  const outer = outerKey(key);
  const shortened = Array.from(key, (_, at) => key.slice(0, at) + key.slice(at + 1));
  const [first = '', ...rest] = key.split(' ');
  return [...new Set([key, outer, ...shortened, `${first[0]} ${rest.join(' ')}`, ...emails])];
}

function addToIndex(groupsByKey: Map<string, Group[]>, group: Group, keys: readonly string[]): void {
  for (const key of keys) {
    const known = groupsByKey.get(key);
    if (known === undefined) groupsByKey.set(key, [group]);
    else if (!known.includes(group)) known.push(group);
  }
}

function candidatesOf(groups: readonly Group[]): Candidate[] {
  const used = new Map<string, number>();
  return groups.map(({ key, profiles: same }) => {
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return {
      // The longest spelling.
      name: same.map(({ name }) => name).sort((a, b) => b.length - a.length)[0]!,
      aliases: [...new Set(same.flatMap(({ name, aliases = [] }) => [name, ...aliases]))],
      kind: same.map(({ kind = null }) => kind).find((one) => one !== null) ?? null,
      facts: same.flatMap(({ facts }) => facts),
      statements: same.flatMap(({ statements }) => statements),
      identityKey: count === 1 ? key : `${key} #${count}`,
    };
  });
}

function isSame(
  group: Group,
  { key, identifiers }: { key: string; identifiers: Identifiers },
  kind: 'people' | 'company',
): boolean {
  const [emails, places, employers] = IDENTIFIERS.map((name) =>
    compare(group.identifiers[name], identifiers[name]),
  ) as [Comparison, Comparison, Comparison];
  if (emails === 'same') return true;
  if (group.key === key)
    return kind === 'company' || (emails !== 'other' && !(places === 'other' && employers === 'other'));
  if (kind === 'company') return false;
  if (outerKey(group.key) === outerKey(key) && (group.key === outerKey(key) || key === outerKey(key)))
    return emails !== 'other' && places !== 'other' && employers !== 'other';
  const alike =
    editDistance(group.key, key, SPELLING_MAX) <= SPELLING_MAX ||
    isInitialOf(group.key, key) ||
    isInitialOf(key, group.key);
  return alike && places === 'same' && employers === 'same';
}

/** The first and the last name: "warren truss" of "warren errol truss". */
function outerKey(key: string): string {
  const words = key.split(' ');
  return words.length < 3 ? key : `${words[0]} ${words.at(-1)}`;
}

type Comparison = 'same' | 'other' | 'unknown';

function compare(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): Comparison {
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
