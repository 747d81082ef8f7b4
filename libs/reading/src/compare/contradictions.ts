import type { Lexicon } from '../learned/lexicon.ts';
import type { Relation } from '../relations/relation.ts';
import { nameKey, nameWords, sameName } from './names.ts';
import { Places } from './places.ts';

/** What is known of a relation that has one value at a time. */
interface Functional {
  kind: 'date' | 'place' | 'name';
  /** A later value follows an earlier one; two values at different times are a change. */
  changes: boolean;
}

/** Relations with at most one value at a time. Others are never compared. */
const FUNCTIONAL: ReadonlyMap<string, Functional> = new Map<string, Functional>([
  ['birth_date', { kind: 'date', changes: false }],
  ['death_date', { kind: 'date', changes: false }],
  ['founded_date', { kind: 'date', changes: false }],
  ['acquired_date', { kind: 'date', changes: false }],
  ['launch_date', { kind: 'date', changes: false }],
  ['born_in', { kind: 'place', changes: false }],
  ['died_in', { kind: 'place', changes: false }],
  ['founded_in', { kind: 'place', changes: false }],
  ['headquarters', { kind: 'place', changes: true }],
  ['capital', { kind: 'name', changes: true }],
  ['ceo', { kind: 'name', changes: true }],
  ['owned_by', { kind: 'name', changes: true }],
]);
const SAME_AS: ReadonlyMap<string, string> = new Map(Object.entries<string>({ subsidiary_of: 'owned_by' }));

interface Disagreement {
  verdict: 'contradicts' | 'supersedes';
  relation: string;
  /** Of `supersedes`, `b` is what holds later. */
  a: Relation;
  b: Relation;
}

type Comparison = 'same' | 'excluding' | 'unrelated';

/** Compares what two texts say. */
export class Comparer {
  private readonly places: Places;

  constructor(lexicon: Lexicon) {
    this.places = new Places(lexicon);
  }

  /** Values of one relation of one subject that cannot both hold. */
  disagreements(a: readonly Relation[], b: readonly Relation[]): Disagreement[] {
    const found: Disagreement[] = [];
    const others = groups(b);
    for (const [key, mine] of groups(a)) {
      const theirs = others.get(key);
      if (theirs === undefined) continue;
      const relation = relationName(mine[0]!.relation);
      const functional = FUNCTIONAL.get(relation)!;
      const one = valuesOf(mine, functional);
      const other = valuesOf(theirs, functional);
      // A text that gives several values itself has not been understood well enough to be held against another.
      if (this.isTorn(one, functional) || this.isTorn(other, functional)) continue;
      for (const x of one)
        for (const y of other)
          if (this.compare(x, y, functional) === 'excluding') found.push(verdict(relation, x[0]!, y[0]!, functional));
    }
    return found;
  }

  private isTorn(values: Relation[][], functional: Functional): boolean {
    return values.some((x, i) => values.slice(i + 1).some((y) => this.compare(x, y, functional) === 'excluding'));
  }

  private compare(a: Relation[], b: Relation[], { kind }: Functional): Comparison {
    const [x, y] = [a[0]!.object, b[0]!.object];
    if (kind === 'date') {
      if (x.value === undefined || y.value === undefined) return 'unrelated';
      return x.value.from <= y.value.to && y.value.from <= x.value.to ? 'same' : 'excluding';
    }
    if (sameName(x.text, y.text)) return 'same';
    if (kind === 'place') return this.comparePlaces(a, b);
    const [one, other] = [nameWords(x.text), nameWords(y.text)];
    if (x.type === 'person' && one.at(-1) === other.at(-1)) return 'same';
    return x.type === y.type ? 'excluding' : 'unrelated';
  }

  /** Each value is a place and, after it, those that it is said to lie in. */
  private comparePlaces(a: Relation[], b: Relation[]): Comparison {
    const [x, y] = [a[0]!.object.text, b[0]!.object.text];
    if (a.some(({ object }) => sameName(object.text, y)) || b.some(({ object }) => sameName(object.text, x)))
      return 'same';
    if (this.places.areApart(x, y) === true) return 'excluding';
    const [one, other] = [this.places.extent(x), this.places.extent(y)];
    return (one === 'wide') === (other === 'wide') ? 'excluding' : 'unrelated';
  }
}

function relationName(relation: string): string {
  return SAME_AS.get(relation) ?? relation;
}

function groups(relations: readonly Relation[]): Map<string, Relation[]> {
  const found = new Map<string, Relation[]>();
  for (const relation of relations) {
    const name = relationName(relation.relation);
    if (relation.negated || !FUNCTIONAL.has(name)) continue;
    const key = `${nameKey(relation.subject.text)}|${name}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [relation]);
    else known.push(relation);
  }
  return found;
}

/** Places of one sentence are one value, from the narrowest to the widest; everything else is a value by itself. */
function valuesOf(relations: readonly Relation[], { kind }: Functional): Relation[][] {
  const found = new Map<string, Relation[]>();
  for (const relation of relations) {
    const key = kind === 'place' ? String(relation.start) : `${relation.start} ${relation.object.text}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [relation]);
    else known.push(relation);
  }
  return [...found.values()];
}

function verdict(relation: string, a: Relation, b: Relation, { changes }: Functional): Disagreement {
  const later = changes ? laterOf(a, b) : null;
  if (later === null) return { verdict: 'contradicts', relation, a, b };
  return { verdict: 'supersedes', relation, a: later === a ? b : a, b: later };
}

/** Which of two values holds later; null when the texts do not tell them apart by time. */
function laterOf(a: Relation, b: Relation): Relation | null {
  const [x, y] = [a.validity, b.validity];
  if (x.until !== undefined && y.since !== undefined && x.until <= y.since) return b;
  if (y.until !== undefined && x.since !== undefined && y.until <= x.since) return a;
  if (x.since !== undefined && y.since !== undefined && x.since !== y.since) return x.since < y.since ? b : a;
  if (x.past === true && y.past !== true) return b;
  return y.past === true && x.past !== true ? a : null;
}
