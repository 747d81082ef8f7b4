import { expect, it } from '@jest/globals';
import { laterOf } from '@cairn/reading';
import { seededRandom } from '@cairn/testing';
import { compareValues } from '../extract/compare-values.ts';
import { relationOf } from '../extract/relations.ts';
import type { Value } from '../extract/values.ts';
import type { ComparedFact } from '../store/fact-store.ts';
import { judgeFacts } from './judge-facts.ts';

const GROUPS = 1_000;
const RELATIONS = ['headquarters', 'led_by', 'list_price', 'birth_date', 'works_for', 'capital'];
const TIMES = [null, null, new Date('2020-01-01'), new Date('2021-01-01'), new Date('2022-05-01')];
const NAMES = ['Ada Lovelace', 'lovelace', 'Bela Kun', 'Kun', 'Acme Inc'];
const PLACES: Value[] = [
  { kind: 'place', text: 'Berlin', extent: 'town', codes: ['DE'], within: [] },
  { kind: 'place', text: 'Paris', extent: 'town', codes: ['FR'], within: [] },
  { kind: 'place', text: 'Bavaria', extent: 'wide', codes: [], within: [] },
  { kind: 'place', text: 'France', extent: 'wide', codes: ['FR'], within: [] },
  { kind: 'place', text: 'Munich', extent: 'unknown', codes: [], within: [] },
];
const VALUES: readonly (readonly Value[])[] = [
  NAMES.map((text): Value => ({ kind: 'text', text, type: 'person' })),
  NAMES.map((text): Value => ({ kind: 'text', text })),
  [1, 2, 2.0001, 5, 9].map((amount): Value => ({ kind: 'money', amount, currency: 'EUR', bound: 'exact' })),
  [1, 2, 5].map((amount): Value => ({ kind: 'money', amount, currency: 'EUR', bound: 'at_least' })),
  PLACES,
];

it('finds what comparing every fact with every other finds', () => {
  const random = seededRandom(11);
  let conflicts = 0;
  let changes = 0;
  for (let group = 0; group < GROUPS; group++) {
    const relation = oneOf(random, RELATIONS);
    const facts = someFacts(random);
    const { conflicting, superseded, score } = judgeFacts(relation, facts);
    const found = {
      conflicting: conflicting.map((fact) => fact.fact_id),
      superseded: Object.fromEntries(superseded),
      score,
    };
    expect(found).toEqual(comparedAll(relation, facts));
    if (conflicting.length > 0) conflicts++;
    if (superseded.size > 0) changes++;
  }
  expect(conflicts).toBeGreaterThan(GROUPS / 10);
  expect(changes).toBeGreaterThan(GROUPS / 10);
});

function oneOf<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

function someFacts(random: () => number): ComparedFact[] {
  const values = oneOf(random, VALUES);
  const documents = 1 + Math.floor(random() * 6);
  return Array.from({ length: 1 + Math.floor(random() * 9) }, (_, at) => {
    const from = oneOf(random, TIMES);
    const until = oneOf(random, TIMES);
    const to = from !== null && until !== null && until < from ? null : until;
    return {
      fact_id: `rel_${at}`,
      doc_id: `doc_${Math.floor(random() * documents)}`,
      value: oneOf(random, values),
      object_entity_id: oneOf(random, [null, null, 'ent_1', 'ent_2']),
      negated: random() < 0.15,
      confidence: Math.round(random() * 100) / 100,
      valid_from: from,
      valid_to: to,
      observed_at: oneOf(random, TIMES),
      ended: random() < 0.25,
    } as ComparedFact;
  });
}

/** The rules, pair by pair. */
function comparedAll(relation: string, all: readonly ComparedFact[]) {
  const { single, changes } = relationOf(relation, all[0]!.value.kind !== 'text');
  const excludes = (a: ComparedFact, b: ComparedFact) => {
    const sameEntity = a.object_entity_id !== null && a.object_entity_id === b.object_entity_id;
    const compared = sameEntity ? 'same' : compareValues(a.value, b.value);
    if (a.negated !== b.negated)
      return (
        compared === 'same' && !(a.value.kind === 'text' && b.value.kind === 'text' && a.value.text !== b.value.text)
      );
    return !a.negated && single && compared === 'excluding';
  };
  const later = (a: ComparedFact, b: ComparedFact) => (changes ? laterOf(validity(a), validity(b)) : null);
  const pairsOf = (facts: readonly ComparedFact[]) =>
    facts.flatMap((a, at) => facts.slice(at + 1).map((b) => [a, b] as const)).filter(([a, b]) => excludes(a, b));
  const lists = new Set(
    pairsOf(all)
      .filter(([a, b]) => a.doc_id === b.doc_id && later(a, b) === null)
      .map(([a]) => a.doc_id),
  );
  const pairs = pairsOf(all.filter((fact) => !lists.has(fact.doc_id)));
  const replacing = new Map<string, string[]>();
  for (const [a, b] of pairs) {
    const holds = later(a, b);
    if (holds === null) continue;
    const [earlier, newer] = holds === 'a' ? [b, a] : [a, b];
    replacing.set(earlier.fact_id, [...(replacing.get(earlier.fact_id) ?? []), newer.fact_id]);
  }
  const superseded = Object.fromEntries(
    [...replacing].map(([earlier, newer]) => {
      const remaining = newer.filter((id) => !replacing.has(id));
      return [earlier, (remaining.length > 0 ? remaining : newer).toSorted().at(-1)!];
    }),
  );
  const conflicts = pairs.filter(
    ([a, b]) =>
      a.doc_id !== b.doc_id &&
      later(a, b) === null &&
      !(a.ended && b.ended && changes) &&
      !replacing.has(a.fact_id) &&
      !replacing.has(b.fact_id),
  );
  return {
    conflicting: [...new Set(conflicts.flat().map((fact) => fact.fact_id))].sort(),
    superseded,
    score: Math.max(0, ...conflicts.map(([a, b]) => Math.min(a.confidence, b.confidence))),
  };
}

function validity({ valid_from, valid_to, observed_at, ended }: ComparedFact) {
  const day = (time: Date | null) => time?.toISOString().slice(0, 10);
  const isOver = ended || (valid_to !== null && observed_at !== null && valid_to <= observed_at);
  const since = day(valid_from ?? (isOver ? null : observed_at));
  const until = day(valid_to ?? (ended ? observed_at : null));
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }), past: ended };
}

const said = (at: number, town: string, time: Partial<ComparedFact> = {}) =>
  ({
    fact_id: `rel_${at}`,
    doc_id: `doc_${at}`,
    value: { kind: 'text', text: town },
    object_entity_id: null,
    negated: false,
    confidence: 0.9,
    valid_from: null,
    valid_to: null,
    observed_at: null,
    ended: false,
    ...time,
  }) as ComparedFact;

it('lets what holds stand for what was, also when a document of long ago comes in last', () => {
  const facts = [
    said(1, 'Bonn', { observed_at: new Date('2020-01-01') }),
    said(2, 'Berlin', { observed_at: new Date('2022-01-01') }),
    said(3, 'Kiel', { observed_at: new Date('2021-01-01') }),
  ];
  const { superseded } = judgeFacts('headquarters', facts);
  expect(Object.fromEntries(superseded)).toEqual({ rel_1: 'rel_2', rel_3: 'rel_2' });
});

it('does not list what only something superseded contradicts', () => {
  const facts = [
    said(1, 'Bonn', { observed_at: new Date('2020-01-01') }),
    said(2, 'Bonn', { negated: true, confidence: 0.8 }),
    said(3, 'Berlin', { observed_at: new Date('2022-01-01'), confidence: 0.5 }),
    said(4, 'Paris', { observed_at: new Date('2022-01-01'), confidence: 0.4 }),
  ];
  const { conflicting, score } = judgeFacts('headquarters', facts);
  expect(conflicting.map((fact) => fact.fact_id)).toEqual(['rel_3', 'rel_4']);
  expect(score).toBe(0.4);
});

it('says nothing of what may have many values', () => {
  const facts = Array.from({ length: 3_000 }, (_none, at) => said(at, `Town ${at}`));
  expect(judgeFacts('works_for', facts)).toEqual({ conflicting: [], superseded: new Map(), score: 0 });
});
