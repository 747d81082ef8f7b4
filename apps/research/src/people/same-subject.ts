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
  const groups: Group[] = [];
  // Where to look for a profile's own group, so that not every profile is compared with every other.
  const places = new Map<string, Group[]>();
  for (const profile of profiles) {
    const key = kind === 'people' ? nameKey(profile.name) : companyKey(profile.name);
    if (key === '') continue;
    const told = toldBy(profile);
    const found = new Set(placesOf(key, told, kind).flatMap((place) => places.get(place) ?? []));
    const group = [...found].sort((a, b) => a.number - b.number).find((known) => isSame(known, { key, told }, kind));
    if (group === undefined) {
      const made = { number: groups.length, key, told, profiles: [profile] };
      groups.push(made);
      enter(places, made, placesOf(key, told, kind));
    } else {
      group.profiles.push(profile);
      for (const name of TELLING) for (const value of told[name]) group.told[name].add(value);
      enter(places, group, placesOf(group.key, { ...told, location: new Set(), employer: new Set() }, kind));
    }
  }
  return candidatesOf(groups);
}

const TELLING = ['email', 'location', 'employer'] as const;
type Told = Readonly<Record<(typeof TELLING)[number], Set<string>>>;

interface Group {
  number: number;
  key: string;
  told: Told;
  profiles: Profile[];
}

/** What sets people of one name apart, as it is compared. */
function toldBy({ facts }: Profile): Told {
  const values = (kind: Fact['kind']) =>
    new Set(facts.filter((fact) => fact.kind === kind && fact.current).map(({ value }) => plainKey(value)));
  return { email: values('email'), location: values('location'), employer: values('employer') };
}

/**
 * Two that may be the same have one of these in common: the name, the name without one letter (two names that differ
 * in one have such a form in common: Mor and Fraenkel 1982), its initial form, or an e-mail address.
 */
function placesOf(key: string, told: Told, kind: 'people' | 'company'): string[] {
  const emails = [...told.email].map((email) => `@${email}`);
  if (kind === 'company') return [key, ...emails];
  const shortened = Array.from(key, (_, at) => key.slice(0, at) + key.slice(at + 1));
  const [first = '', ...rest] = key.split(' ');
  return [...new Set([key, ...shortened, `${first[0]} ${rest.join(' ')}`, ...emails])];
}

function enter(places: Map<string, Group[]>, group: Group, at: readonly string[]): void {
  for (const place of at) {
    const known = places.get(place);
    if (known === undefined) places.set(place, [group]);
    else if (!known.includes(group)) known.push(group);
  }
}

function candidatesOf(groups: readonly Group[]): Candidate[] {
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

function isSame(group: Group, { key, told }: { key: string; told: Told }, kind: 'people' | 'company'): boolean {
  const [emails, places, employers] = TELLING.map((name) => compare(group.told[name], told[name])) as [
    Comparison,
    Comparison,
    Comparison,
  ];
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
