import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NounKind } from '../../../../libs/reading/src/learned/lexicon.ts';

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
export const ORGANISATIONS = new Set(
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
  /** What it is a part of. */
  wholes: string[];
  words: string[];
}

/** WordNet's noun files: https://wordnet.princeton.edu/documentation/wndb5wn */
export class WordNet {
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
    const words: string[] = [];
    for (let k = 4; k < count; k += 2) words.push(cells[k]!.replaceAll('_', ' ').toLowerCase());
    const hypernyms: string[] = [];
    const wholes: string[] = [];
    for (let k = count + 1; k < count + 1 + Number(cells[count]) * 4; k += 4) {
      if (cells[k] === '@' || cells[k] === '@i') hypernyms.push(cells[k + 1]!);
      if (cells[k] === '#p') wholes.push(cells[k + 1]!);
    }
    this.synsets.set(cells[0]!, { file: Number(cells[1]), instance: line.includes(' @i '), hypernyms, wholes, words });
  }

  private readIndex(line: string): void {
    const cells = line.trim().split(' ');
    if (!/^\p{L}/u.test(line)) return;
    this.senses.set(cells[0]!.replaceAll('_', ' '), cells.slice(-Number(cells[2])));
  }

  common(word: string): string[] {
    return (this.senses.get(word) ?? []).filter((sense) => !this.synsets.get(sense)!.instance);
  }

  isA(sense: string, target: string, depth = 0): boolean {
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
