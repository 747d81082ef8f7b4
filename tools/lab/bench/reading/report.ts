import { environment, table } from '../../measurement/page.ts';
import type { FactFigures } from './facts.ts';
import type { LinkFigures } from './links.ts';
import type { NameFigures } from './names.ts';
import type { ParagraphFigures } from './paragraphs.ts';
import type { HitCount } from './scorers.ts';

const percent = (share: number) => (100 * share).toFixed(1);
const shareOf = ({ hit, n }: HitCount) => percent(hit / Math.max(1, n));
const made = () => `${environment()}. Command: \`npm run eval -- --data <folder> --sets extraction\`.`;

/** Of the extractor by word lists that the reader replaced, by the same scorers on the same half, at commit 69e1c1c. */
const BEFORE = {
  precision: '80.0',
  recall: '2.0',
  f1: '3.9',
  pairs: '2.5',
  fewRel: '0.2',
  replaced: '2.9',
  plain: '1.0',
  alarms: '0',
};

/** `unseen`: by a model whose names have learned nothing from KnowledgeNet. */
export function factsSection(shipped: FactFigures, unseen: FactFigures): string {
  const f1 = ({ knowledgeNet: { P, Ra } }: FactFigures) => percent((2 * P * Ra) / Math.max(Number.EPSILON, P + Ra));
  const row = (set: string, measure: string, of: (figures: FactFigures) => string, before: string) => [
    set,
    measure,
    of(shipped),
    of(unseen),
    before,
  ];
  const { knowledgeNet, fewRel, replaced, plain, alarms } = shipped;
  const rows = [
    row(
      `KnowledgeNet, ${knowledgeNet.passages} passages`,
      'precision',
      (f) => percent(f.knowledgeNet.P),
      BEFORE.precision,
    ),
    row('', 'recall, pronouns included', (f) => percent(f.knowledgeNet.Ra), BEFORE.recall),
    row('', 'F1', f1, BEFORE.f1),
    row('', 'pairs of subject and value found', (f) => percent(f.knowledgeNet.agnRa), BEFORE.pairs),
    row(
      `FewRel, ${fewRel.of} sentences`,
      'pairs found',
      (f) => percent(f.fewRel.found / Math.max(1, f.fewRel.of)),
      BEFORE.fewRel,
    ),
    row(
      'contradictions, value replaced in a passage',
      `found, of ${replaced.n}`,
      (f) => shareOf(f.replaced),
      BEFORE.replaced,
    ),
    row('contradictions in plain sentences', `found, of ${plain.n}`, (f) => shareOf(f.plain), BEFORE.plain),
    row('texts that agree', `false alarms, of ${alarms.n}`, (f) => String(f.alarms.hit), BEFORE.alarms),
  ];
  return [
    '## Facts and contradictions',
    '',
    made(),
    '',
    'In percent but for the false alarms. The shipped model has learned the types of names, and nothing else, from this half of KnowledgeNet. “Unseen” is a model whose names were learned from wikigold, CrossNER and UNER alone. “Before” is the extractor by word lists that the reader replaced, by the same scorers.',
    '',
    table(['set', 'measure', 'shipped', 'unseen', 'before'], rows),
    '',
    '### KnowledgeNet by property',
    '',
    table(
      ['property', 'facts', 'recall, pronouns included', 'precision'],
      Object.entries(knowledgeNet.perProp)
        .sort((a, b) => b[1].map / b[1].gold - a[1].map / a[1].gold)
        .map(([name, { gold, map, tp, fp }]) => [
          name.toLowerCase().replaceAll('_', ' '),
          String(gold),
          percent(map / Math.max(1, gold)),
          percent(tp / Math.max(1, tp + fp)),
        ]),
    ),
  ].join('\n');
}

/** CaRB's test set by the same scorer, on all of it, from the published output of each system. */
const PUBLISHED = [
  ['ReVerb, CaRB test', '', '', '36.8', '20.2'],
  ['ClausIE, CaRB test', '', '', '44.2', '21.8'],
  ['OpenIE4, CaRB test', '', '', '47.7', '26.6'],
];

export function linksSection(figures: readonly LinkFigures[]): string {
  return [
    '## Links',
    '',
    made(),
    '',
    'Open tuples of CaRB in percent, on half of each set. The systems below are their published output by the same scorer, on the whole test set; ClausIE is published with 45.0 and 22.0, so the scorer is about a point low.',
    '',
    table(
      ['set', 'precision', 'recall', 'F1', 'area under the curve'],
      [
        ...figures.map(({ set, P, R, F, area }) => [
          set.replace('carb-', 'the reader, CaRB '),
          ...[P, R, F, area].map(percent),
        ]),
        ...PUBLISHED,
      ],
    ),
  ].join('\n');
}

/** Of the extractor before, by collection, with types, as it was measured on the same half. */
const NAMES_BEFORE: Readonly<Record<string, string>> = {
  wikigold: '47.6',
  crossner: '49.6',
  'uner-ewt': '53.3',
  'wnut17 test': '30.8',
};

export function namesSection(figures: readonly NameFigures[]): string {
  const f1 = (value: number) => value.toFixed(1);
  return [
    '## Names',
    '',
    made(),
    '',
    'F1 in percent of names at exactly their place, and with one of the three types. The shipped model has learned from this half of wikigold, CrossNER and UNER, so others are learned here: “held out” from four fifths of these three, measured on the last; “collection left out” from the others of these three alone. Of WNUT17 the shipped model has learned the train and dev sets, so its “held out” is the shipped model itself on half of the test set; its “left out” is a model that has learned from nothing of WNUT17. “Before” is the extractor by word lists, with types.',
    '',
    table(
      ['set', 'held out: place', 'with type', 'collection left out: place', 'with type', 'before: with type'],
      figures.map(({ set, heldOut, leftOut }) => [
        set,
        f1(heldOut.placeF1),
        f1(heldOut.typedF1),
        f1(leftOut.placeF1),
        f1(leftOut.typedF1),
        NAMES_BEFORE[set] ?? '—',
      ]),
    ),
  ].join('\n');
}

export function paragraphsSection(figures: ParagraphFigures): string {
  const { paragraphs, sentences, facts, open, names, frequent } = figures;
  return [
    '## Paragraphs of an encyclopedia',
    '',
    made(),
    '',
    `${paragraphs} paragraphs of HotpotQA with ${sentences} sentences give ${facts} facts, ${open} open relations besides, and ${names} names, each counted once a paragraph. The most frequent relations: ${frequent.map(([relation, n]) => `\`${relation}\` ${n}`).join(', ')}. \`--sample FILE\` of \`tools/lab/bench/reading/main.ts\` writes a random sample of 100 facts and 200 names to be judged, always the same for the same reader and the same \`--seed N\`.`,
  ].join('\n');
}
