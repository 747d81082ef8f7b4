import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type EntityKind = 'person' | 'organisation';

interface Synset {
  kind: EntityKind;
  parents: string[];
  lemmas: string[];
  gloss: readonly string[];
}

interface Sense {
  id: string;
  /** 1 for the most usual. */
  rank: number;
}

/** Of a word with many senses the rarer ones mislead more than they find. */
const RANK_MAX = 2;
const DEPTH_MAX = 12;
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    men: 'man',
    women: 'woman',
    people: 'person',
    children: 'child',
    wives: 'wife',
    alumni: 'alumnus',
  }),
);

/** What English nouns for persons and organisations mean, and which places adjectives belong to: an extract of WordNet. */
class Nouns {
  private readonly synsets = new Map<string, Synset>();
  private readonly senses = new Map<string, Sense[]>();
  private readonly below = new Map<string, string[]>();
  private readonly places = new Map<string, string[]>();

  constructor(data: string) {
    for (const line of data.split('\n')) {
      const [kind, id = '', above = '', lemmas = '', gloss = ''] = line.split(' ');
      if (kind === 'd') this.places.set(id.replaceAll('_', ' '), above.replaceAll('_', ' ').split(','));
      if (kind === 'p' || kind === 'o') this.add(kind, id, [above, lemmas, gloss]);
    }
  }

  private add(kind: string, id: string, lists: readonly string[]): void {
    const [parents, lemmas, gloss] = lists.map((list) => (list === '' ? [] : list.split(','))) as [
      string[],
      string[],
      string[],
    ];
    const names = lemmas.map((lemma) => lemma.replaceAll('_', ' ').split('/') as [string, string]);
    this.synsets.set(id, {
      kind: kind === 'p' ? 'person' : 'organisation',
      parents,
      lemmas: names.map(([name]) => name),
      gloss,
    });
    for (const [name, rank] of names)
      this.senses.set(name, [...(this.senses.get(name) ?? []), { id, rank: Number(rank) }]);
    for (const parent of parents) this.below.set(parent, [...(this.below.get(parent) ?? []), id]);
  }

  has(noun: string): boolean {
    return this.senses.has(noun);
  }

  /** The singular of a noun, or of the last word of a compound. */
  singular(noun: string): string {
    const at = noun.lastIndexOf(' ') + 1;
    const word = noun.slice(at);
    const irregular = IRREGULAR.get(word) ?? (word.endsWith('men') ? `${word.slice(0, -3)}man` : undefined);
    if (irregular !== undefined) return noun.slice(0, at) + irregular;
    if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return noun;
    const forms = [
      ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
      ...(/(?:s|x|z|ch|sh)es$/.test(word) ? [word.slice(0, -2)] : []),
      word.slice(0, -1),
    ];
    return noun.slice(0, at) + (forms.find((form) => this.has(form)) ?? (this.has(word) ? word : forms[0]!));
  }

  /** The longest end of the words that is a known noun; the last word when none is. */
  headOf(words: readonly string[]): string {
    for (let from = Math.max(0, words.length - 3); from < words.length; from += 1) {
      const end = this.singular(words.slice(from).join(' '));
      if (this.has(end)) return end;
    }
    return this.singular(words.at(-1) ?? '');
  }

  /** What a noun names by its most usual sense here; null for everything else. */
  kindOf(noun: string): EntityKind | null {
    const sense = [...(this.senses.get(noun) ?? [])].sort((a, b) => a.rank - b.rank)[0];
    return sense === undefined ? null : this.synsets.get(sense.id)!.kind;
  }

  canBe(noun: string, kind: EntityKind): boolean {
    return (this.senses.get(noun) ?? []).some(({ id }) => this.synsets.get(id)!.kind === kind);
  }

  /** Whether the nouns are equal or synonyms. */
  isSame(noun: string, other: string, kind: EntityKind): boolean {
    if (noun === other) return true;
    const targets = new Set(this.usual(other, kind));
    return this.usual(noun, kind).some((id) => targets.has(id));
  }

  /** Whether whatever `noun` names is a `wanted`: the same, a synonym, or a kind of it. */
  isA(noun: string, wanted: string, kind: EntityKind): boolean {
    if (noun === wanted) return true;
    const targets = new Set(this.usual(wanted, kind));
    if (targets.size === 0) return false;
    let level = this.first(noun, kind);
    for (let depth = 0; depth < DEPTH_MAX && level.length > 0; depth += 1) {
      if (level.some((id) => targets.has(id))) return true;
      level = [...new Set(level.flatMap((id) => this.synsets.get(id)!.parents))];
    }
    return false;
  }

  /** Other words for the noun and for its kinds, nearest first. */
  wordsFor(noun: string, kind: EntityKind, max: number): string[] {
    const words = new Set<string>();
    for (let level = this.usual(noun, kind); level.length > 0 && words.size < max;) {
      for (const id of level) for (const lemma of this.synsets.get(id)!.lemmas) words.add(lemma);
      level = level.flatMap((id) => this.below.get(id) ?? []);
    }
    words.delete(noun);
    return [...words].slice(0, max);
  }

  /** The words that a dictionary explains an organisation's noun by: "beer" for "brewery". */
  glossOf(noun: string): readonly string[] {
    return this.usual(noun, 'organisation').flatMap((id) => this.synsets.get(id)!.gloss);
  }

  /** The places that an adjective such as "Welsh" belongs to, in lower case. */
  placesOf(adjective: string): readonly string[] {
    return this.places.get(adjective.toLowerCase()) ?? [];
  }

  private first(noun: string, kind: EntityKind): string[] {
    const own = (this.senses.get(noun) ?? []).filter(({ id }) => this.synsets.get(id)!.kind === kind);
    const rank = Math.min(...own.map((sense) => sense.rank));
    return own.filter((sense) => sense.rank === rank).map(({ id }) => id);
  }

  private usual(noun: string, kind: EntityKind): string[] {
    const own = (this.senses.get(noun) ?? []).filter(({ id }) => this.synsets.get(id)!.kind === kind);
    const first = Math.min(RANK_MAX, ...own.map(({ rank }) => rank));
    return own.filter(({ rank }) => rank <= Math.max(first, RANK_MAX)).map(({ id }) => id);
  }
}

let shipped: Nouns | undefined;

/** The extract that is committed, loaded at the first use and once for a process. */
export function loadNouns(): Nouns {
  shipped ??= new Nouns(readFileSync(join(import.meta.dirname, 'nouns.txt'), 'utf8'));
  return shipped;
}
