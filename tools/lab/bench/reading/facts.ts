import { ContradictionDetector } from '../../../../libs/reading/src/compare/contradictions.ts';
import type { ReadingModel } from '../../../../libs/reading/src/learned/model.ts';
import { createReader, type Reader } from '../../../../libs/reading/src/reader.ts';
import type { NamedText } from '../../train/reading/named-text.ts';
import { withNamesOf } from './held-out.ts';
import type { HitCount, KnowledgeNetScores, Scorers, System } from './scorers.ts';

/** FewRel is measured on every fourth sentence. */
const FEWREL_SENTENCES = 1400;
const NAME_SETS = ['wikigold', 'crossner', 'uner-ewt'];

export interface FactFigures {
  knowledgeNet: KnowledgeNetScores;
  fewRel: { found: number; of: number };
  replaced: HitCount;
  plain: HitCount;
  /** Pairs of texts that agree, and those that were called contradictions. */
  alarms: HitCount;
}

/** KnowledgeNet, FewRel and contradictions. */
export function measureFacts(model: ReadingModel, { lib, contradictions }: Scorers): FactFigures {
  const reader = createReader(model);
  const system = systemOf(reader);
  const comparer = new ContradictionDetector(model.lexicon);
  const { r } = contradictions.scoreContr(
    (text) => ({ facts: reader.read(text).relations }),
    (one, other) =>
      comparer
        .disagreements(one, other)
        .filter(({ kind }) => kind === 'contradicts')
        .map(({ a, b }) => ({ a: a.object.text, b: b.object.text })),
    'dev',
  );
  const of = (wanted: string) =>
    Object.entries(r)
      .filter(([kind]) => kind.endsWith(wanted))
      .reduce((sum, [, { hit, n }]) => ({ hit: sum.hit + hit, n: sum.n + n }), { hit: 0, n: 0 });
  const { n, pair } = lib.scoreFewrel(system, 'fewrel-val.dev', FEWREL_SENTENCES);
  return {
    knowledgeNet: lib.scoreKn(system, 'dev', {}),
    fewRel: { found: pair, of: n },
    replaced: of('replaced · contradicts'),
    plain: of('plain · contradicts'),
    alarms: of('agrees'),
  };
}

/** A model whose names have not seen KnowledgeNet, and have learned from the name sets of the data folder alone. */
export function withoutKnowledgeNet(model: ReadingModel, { lib }: Scorers): ReadingModel {
  return withNamesOf(
    model,
    NAME_SETS.flatMap((set) => lib.load(`ner-${set}.dev`) as NamedText[]),
  );
}

function systemOf(reader: Reader): System {
  return (text) => {
    const { names, relations } = reader.read(text);
    return {
      entities: names,
      facts: relations.map(({ subject, relation, object, negated, start, end }) => ({
        subject: subject.text,
        relation,
        object: object.text,
        negated,
        start,
        end,
      })),
    };
  };
}
