import { countryCodes } from '../../../../libs/reading/src/compare/places.ts';
import type { WordNet } from './word-net.ts';

const FILE_LOCATION = 15;
const DEPTH_MAX = 6;
const NAME_MIN_CHARS = 3;
/** Their states are known by other codes. */
const UNITED_STATES = 'US';

/**
 * Regions of countries by WordNet's parts. Two states or provinces of one country are apart; any other region may lie
 * across or in them. Names of regions in several countries are left out; where cities elsewhere are called so, it may be
 * one of those.
 */
export function regionsOf(wordNet: WordNet, cities: ReadonlyMap<string, ReadonlySet<string>>): [string, string][] {
  const countries = countryCodes();
  const state = wordNet.common('state').find((sense) => wordNet.synsets.get(sense)!.words.includes('province'))!;
  const towns = ['city', 'town', 'village'].flatMap((word) => wordNet.common(word));
  const found: [string, string][] = [];
  for (const [name, senses] of wordNet.senses) {
    if (name.length < NAME_MIN_CHARS || countries.has(name)) continue;
    const places = senses.filter((sense) => wordNet.synsets.get(sense)!.instance && isPlace(wordNet, sense));
    // Other names of countries are no regions: "Soviet Union" is not Russia.
    const regions = places.filter(
      (sense) => !isCountry(wordNet, sense, countries) && !towns.some((town) => wordNet.isA(sense, town)),
    );
    const within = new Set(regions.flatMap((sense) => countriesOf(wordNet, sense, countries)));
    const [country] = within;
    if (country === undefined || within.size > 1 || country === UNITED_STATES) continue;
    // One code for all names of a region: "Hopeh" is Hebei.
    const own = wordNet.synsets.get(regions[0]!)!.words[0]!.replaceAll(' ', '_');
    const isState = regions.every((sense) => wordNet.isA(sense, state));
    const elsewhere = [...(cities.get(name) ?? [])].filter((city) => city !== country.slice(0, 2)).sort();
    found.push([name, [...(isState ? [`${country}-${own}`] : [`~${own}`, country]), ...elsewhere].join(' ')]);
  }
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function isPlace(wordNet: WordNet, sense: string): boolean {
  return wordNet.synsets.get(sense)!.file === FILE_LOCATION;
}

function isCountry(wordNet: WordNet, sense: string, countries: ReadonlyMap<string, string>): boolean {
  return wordNet.synsets.get(sense)!.words.some((word) => countries.has(word));
}

/** The countries that a place is a part of, over whatever lies between. */
function countriesOf(wordNet: WordNet, sense: string, countries: ReadonlyMap<string, string>, depth = 0): string[] {
  const { words, wholes } = wordNet.synsets.get(sense)!;
  const own = words.map((word) => countries.get(word)).find((code) => code !== undefined);
  if (own !== undefined) return [own];
  if (depth > DEPTH_MAX) return [];
  return wholes.flatMap((whole) => countriesOf(wordNet, whole, countries, depth + 1));
}
