import { loadNouns } from './nouns.ts';

const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  us: 'US',
  'u.s': 'US',
  'u. s': 'US',
  'u.s.a': 'US',
  america: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u.k': 'GB',
  britain: 'GB',
  'great britain': 'GB',
  burma: 'MM',
  holland: 'NL',
  'south korea': 'KR',
  'north korea': 'KP',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  turkey: 'TR',
  russia: 'RU',
};
/** Countries of the United Kingdom: whoever is one of theirs is British. */
const BRITISH: Readonly<Record<string, string>> = {
  england: 'GB-ENG',
  scotland: 'GB-SCT',
  wales: 'GB-WLS',
  'northern ireland': 'GB-NIR',
};

let codes: ReadonlyMap<string, string> | undefined;

function countryCodes(): ReadonlyMap<string, string> {
  if (codes !== undefined) return codes;
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (let a = 65; a < 91; a += 1)
    for (let b = 65; b < 91; b += 1) {
      const code = String.fromCharCode(a, b);
      const name = names.of(code)?.toLowerCase().replace(' & ', ' and ');
      if (name !== undefined && !found.has(name)) found.set(name, code);
    }
  for (const [name, code] of Object.entries({ ...OTHER_NAMES, ...BRITISH })) found.set(name, code);
  codes = found;
  return found;
}

/** The country that a text names, as a code; null for every other text. */
export function countryNamed(text: string): string | null {
  const plain = text
    .toLowerCase()
    .replace(/^the\s/, '')
    .replaceAll('&', 'and')
    .trim()
    .replace(/(?<![.])[.]+$/, '');
  return countryCodes().get(plain) ?? null;
}

/** The codes, and the names of places that are no countries, that an adjective such as "Flemish" or "Irish" stands for. */
export function placesOfAdjective(adjective: string): string[] {
  const places = loadNouns().placesOf(adjective);
  return [...new Set(places.map((place) => countryNamed(place) ?? place))];
}

/** Whether somebody called `said` is one of those asked for by `wanted`: both adjectives or countries. */
export function sameNationality(said: string, wanted: string): boolean {
  const given = codesOf(said);
  return codesOf(wanted).some((code) => given.some((one) => one === code || one.startsWith(`${code}-`)));
}

function codesOf(text: string): string[] {
  const country = countryNamed(text);
  return country === null ? placesOfAdjective(text) : [country];
}
