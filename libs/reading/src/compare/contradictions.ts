import type { Lexicon } from '../learned/lexicon.ts';
import type { Relation } from '../relations/relation.ts';
import { nameKey } from './names.ts';
import { Places } from './places.ts';
import {
  compareDates,
  compareNamed,
  comparePlaces,
  type Comparison,
  type Functional,
  functionalRelation,
  laterOf,
  type PlaceValue,
} from './values.ts';

const SAME_AS: ReadonlyMap<string, string> = new Map(Object.entries<string>({ subsidiary_of: 'owned_by' }));

interface Disagreement {
  kind: 'contradicts' | 'supersedes';
  relation: string;
  /** Of `supersedes`, `b` is what holds later. */
  a: Relation;
  b: Relation;
}

/** Compares what two texts say. */
export class ContradictionDetector {
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
      const functional = functionalRelation(relation)!;
      const one = valuesOf(mine, functional);
      const other = valuesOf(theirs, functional);
      // A text that gives several values of one time itself has not been understood well enough to be held against another.
      if (this.isTorn(one, functional) || this.isTorn(other, functional)) continue;
      for (const x of one)
        for (const y of other)
          if (this.compare(x, y, functional) === 'excluding')
            found.push(disagreementOf(relation, x[0]!, y[0]!, functional));
    }
    return found;
  }

  private isTorn(values: Relation[][], functional: Functional): boolean {
    return values.some((x, i) =>
      values
        .slice(i + 1)
        .some((y) => laterOfTwo(x[0]!, y[0]!, functional) === null && this.compare(x, y, functional) === 'excluding'),
    );
  }

  private compare(a: Relation[], b: Relation[], { kind }: Functional): Comparison {
    const [x, y] = [a[0]!.object, b[0]!.object];
    if (kind === 'place') return comparePlaces(this.placeOf(a), this.placeOf(b));
    if (kind === 'name') return compareNamed(x, y);
    return x.value === undefined || y.value === undefined ? 'unrelated' : compareDates(x.value, y.value);
  }

  /** Each value is a place and, after it, those that it is said to lie in. */
  private placeOf([first, ...wider]: Relation[]): PlaceValue {
    return this.places.named([first!.object.text, ...wider.map(({ object }) => object.text)]);
  }
}

function relationName(relation: string): string {
  return SAME_AS.get(relation) ?? relation;
}

function groups(relations: readonly Relation[]): Map<string, Relation[]> {
  const found = new Map<string, Relation[]>();
  for (const relation of relations) {
    const name = relationName(relation.relation);
    if (relation.negated || functionalRelation(name) === undefined) continue;
    const key = `${nameKey(relation.subject.text)}|${name}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [relation]);
    else known.push(relation);
  }
  return found;
}

/** Places of one sentence and time are one value, from the narrowest to the widest; everything else is a value by itself. */
function valuesOf(relations: readonly Relation[], { kind }: Functional): Relation[][] {
  const found = new Map<string, Relation[]>();
  for (const relation of relations) {
    const when = JSON.stringify(relation.validity);
    const key = kind === 'place' ? `${relation.start} ${when}` : `${relation.start} ${relation.object.text}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [relation]);
    else known.push(relation);
  }
  return [...found.values()];
}

function laterOfTwo(a: Relation, b: Relation, { changes }: Functional): 'a' | 'b' | null {
  return changes ? laterOf(a.validity, b.validity) : null;
}

function disagreementOf(relation: string, a: Relation, b: Relation, functional: Functional): Disagreement {
  const later = laterOfTwo(a, b, functional);
  if (later === null) return { kind: 'contradicts', relation, a, b };
  return later === 'a' ? { kind: 'supersedes', relation, a: b, b: a } : { kind: 'supersedes', relation, a, b };
}
