/** What the lists know of a word, in bits. */
export const GIVEN = 1;
export const FAMILY = 2;
export const MALE = 4;
export const FEMALE = 8;
export const CITY = 16;
export const PLACE = 32;
export const DEMONYM = 64;
const KIND_SHIFT = 7;

/** What a common noun names by its first senses in WordNet: the four that names have, then its lexicographer's file. */
const NOUN_KINDS = [
  '',
  'person',
  'organisation',
  'organisation?',
  'place',
  'act',
  'animal',
  'artifact',
  'attribute',
  'body',
  'cognition',
  'communication',
  'event',
  'food',
  'group',
  'location',
  'object',
  'phenomenon',
  'plant',
  'possession',
  'substance',
  'time',
  'other',
] as const;
export type NounKind = (typeof NOUN_KINDS)[number];

export interface LexiconData {
  /** Lower-case word or words → bits. */
  words: [string, number][];
  /** "N mice" → "mouse": what endings alone do not say; the first letter is N or V. */
  lemmas: [string, string][];
  /** City → codes of the countries that have one of that name, states of the US as "US-TX". */
  cities: [string, string][];
  /** State or province → "DE-bavaria"; any other region → "~ruhr DE", its own code and its country's; cities so called after it. */
  regions: [string, string][];
  /** Lower-case words with the tags they bear in the treebank; every other tag is excluded. */
  tags: [string, number[]][];
}

export function lexiconEntry(flags: number, kind: NounKind): number {
  return flags | (NOUN_KINDS.indexOf(kind) << KIND_SHIFT);
}

/** Lists of words, looked up by the lower-case form. */
export class Lexicon {
  private readonly words: Map<string, number>;
  private readonly lemmas: Map<string, string>;
  private readonly cities: Map<string, string>;
  private readonly regions: Map<string, string>;
  private readonly tagsOf: Map<string, number[]>;
  /** First word of a place's name of several words → the others. */
  private readonly longPlaces = new Map<string, string[][]>();

  constructor(data: LexiconData) {
    this.words = new Map(data.words);
    this.lemmas = new Map(data.lemmas);
    this.cities = new Map(data.cities);
    this.regions = new Map(data.regions);
    this.tagsOf = new Map(data.tags);
    for (const [word, entry] of data.words) {
      if ((entry & (CITY | PLACE)) === 0 || !word.includes(' ')) continue;
      const [first, ...rest] = word.split(' ');
      const known = this.longPlaces.get(first!);
      if (known === undefined) this.longPlaces.set(first!, [rest]);
      else known.push(rest);
    }
  }

  entry(lower: string): number {
    return this.words.get(lower) ?? 0;
  }

  has(lower: string, flag: number): boolean {
    return (this.entry(lower) & flag) !== 0;
  }

  nounKind(lower: string): NounKind {
    return NOUN_KINDS[kindOf(this.entry(lower))]!;
  }

  lemma(letter: 'N' | 'V', lower: string): string | undefined {
    return this.lemmas.get(`${letter} ${lower}`);
  }

  countriesOf(city: string): string | undefined {
    return this.cities.get(city);
  }

  codesOfRegion(region: string): string | undefined {
    return this.regions.get(region);
  }

  tags(lower: string): number[] | undefined {
    return this.tagsOf.get(lower);
  }

  longPlacesFrom(lower: string): readonly string[][] {
    return this.longPlaces.get(lower) ?? [];
  }
}

export function kindOf(entry: number): number {
  return entry >>> KIND_SHIFT;
}
