import { expect, it } from '@jest/globals';
import { laterOf } from '@cairn/reading';
import { seededRandom } from '@cairn/testing';
import { compareValues } from '../extract/compare-values.ts';
import { relationOf } from '../extract/relations.ts';
import type { Value } from '../extract/values.ts';
import type { FactOfEntity } from '../store/fact-store.ts';
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

function someFacts(random: () => number): FactOfEntity[] {
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
      // What ends before it is said to begin is in no order with anything.
      observed_at: to === null ? oneOf(random, TIMES) : null,
      ended: random() < 0.25,
    } as FactOfEntity;
  });
}

/** The rules, pair by pair. */
function comparedAll(relation: string, all: readonly FactOfEntity[]) {
  const { single, changes } = relationOf(relation, all[0]!.value.kind !== 'text');
  const excludes = (a: FactOfEntity, b: FactOfEntity) => {
    const sameEntity = a.object_entity_id !== null && a.object_entity_id === b.object_entity_id;
    const compared = sameEntity ? 'same' : compareValues(a.value, b.value);
    if (a.negated !== b.negated)
      return (
        compared === 'same' && !(a.value.kind === 'text' && b.value.kind === 'text' && a.value.text !== b.value.text)
      );
    return !a.negated && single && compared === 'excluding';
  };
  const later = (a: FactOfEntity, b: FactOfEntity) => (changes ? laterOf(validity(a), validity(b)) : null);
  const pairsOf = (facts: readonly FactOfEntity[]) =>
    facts.flatMap((a, at) => facts.slice(at + 1).map((b) => [a, b] as const)).filter(([a, b]) => excludes(a, b));
  const lists = new Set(
    pairsOf(all)
      .filter(([a, b]) => a.doc_id === b.doc_id && later(a, b) === null)
      .map(([a]) => a.doc_id),
  );
  const pairs = pairsOf(all.filter((fact) => !lists.has(fact.doc_id)));
  const superseded: Record<string, string> = {};
  for (const [a, b] of pairs) {
    const holds = later(a, b);
    if (holds !== null) superseded[holds === 'a' ? b.fact_id : a.fact_id] = holds === 'a' ? a.fact_id : b.fact_id;
  }
  const conflicts = pairs.filter(
    ([a, b]) => a.doc_id !== b.doc_id && later(a, b) === null && !(a.ended && b.ended && changes),
  );
  const isOpen = (fact: FactOfEntity) => !Object.hasOwn(superseded, fact.fact_id);
  if (!conflicts.some(([a, b]) => isOpen(a) && isOpen(b))) return { conflicting: [], superseded, score: 0 };
  return {
    conflicting: [
      ...new Set(
        conflicts
          .flat()
          .filter(isOpen)
          .map((fact) => fact.fact_id),
      ),
    ].sort(),
    superseded,
    score: Math.max(...conflicts.map(([a, b]) => Math.min(a.confidence, b.confidence))),
  };
}

function validity({ valid_from, valid_to, observed_at, ended }: FactOfEntity) {
  const day = (time: Date | null) => time?.toISOString().slice(0, 10);
  const [since, until] = [
    day(valid_from ?? (ended ? null : observed_at)),
    day(valid_to ?? (ended ? observed_at : null)),
  ];
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }), past: ended };
}
