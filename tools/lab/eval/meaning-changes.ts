import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeClaim } from '@cairn/prose';
import { seededRandom } from '@cairn/testing';
import { environment, table, writeSection } from '../measurement/page.ts';
import { faithfulRules, readSentences, type ReadSentence, type Rule, MEANING_CHANGES } from './claim-variants.ts';
import { readRetrievalSet } from './retrieval-set.ts';
import { readSynonyms } from './word-synonyms.ts';

/** What the check of model answers keeps of sentences said faithfully in other words, and rejects of twisted ones. */
const USAGE =
  'Usage: node tools/lab/eval/meaning-changes.ts --data <folder of retrieval sets> --wordnet <folder of WordNet’s files> [--sets hotpotqa100,scifact] [--each 200] [--seed 1] [--show] [--no-report]';
const REPORT = join(import.meta.dirname, '..', '..', '..', 'docs', 'measurements', 'search.md');
const SENTENCES_PER_PASSAGE = 3;
const PASSAGES_MAX = 900;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    wordnet: { type: 'string' },
    sets: { type: 'string', default: 'hotpotqa100,scifact' },
    each: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean' },
    'no-report': { type: 'boolean' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
if (values.data === undefined || values.wordnet === undefined) {
  say(USAGE);
  process.exit(2);
}
const rows: string[][] = [];
for (const set of values.sets.split(',')) {
  const { documents } = await readRetrievalSet(values.data, set);
  const random = seededRandom(Number(values.seed));
  const passages = shuffled(documents, random)
    .slice(0, PASSAGES_MAX)
    .map(({ title = '', text }) => ({ title, text }));
  const sentences = [...Map.groupBy(readSentences(passages), ({ passage }) => passage).values()].flatMap((own) =>
    own.slice(0, SENTENCES_PER_PASSAGE),
  );
  const faithful = faithfulRules(readSynonyms(values.wordnet));
  rows.push([set, 'faithful, kept', ...judged(claimsOf(sentences, faithful, random), true)]);
  rows.push([set, 'twisted, rejected', ...judged(claimsOf(sentences, MEANING_CHANGES, random), false)]);
  for (const row of rows.slice(-2)) say(row.join('  '));
}
if (values['no-report'] !== true) await writeSection(REPORT, 'Search', 'twists', section());

interface MadeClaim {
  rule: string;
  text: string;
  of: ReadSentence;
}

/** So many claims in all, one of each rule in turn; rules that fit few sentences leave theirs to the others. */
function claimsOf(
  sentences: readonly ReadSentence[],
  rules: Readonly<Record<string, Rule>>,
  random: () => number,
): MadeClaim[] {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const open = Object.entries(rules).map(([rule, make]) => ({ rule, make, left: shuffled(sentences, random) }));
  const next = ({ rule, make, left }: (typeof open)[number]): MadeClaim[] => {
    for (let of = left.pop(); of !== undefined; of = left.pop()) {
      const text = make(of, pick);
      if (text !== null && text !== of.text) return [{ rule, text, of }];
    }
    return [];
  };
  const claims: MadeClaim[] = [];
  for (let before = -1; before < claims.length && claims.length < Number(values.each);) {
    before = claims.length;
    for (const one of open) claims.push(...next(one));
  }
  return claims.slice(0, Number(values.each));
}

/** The share that is judged as it should be, and how many of each rule. */
function judged(claims: readonly MadeClaim[], isFaithful: boolean): [share: string, rules: string] {
  const isRight = ({ rule, text, of }: MadeClaim) => {
    const { supported, reason } = judgeClaim(text, [`${of.passage.title}\n${of.passage.text}`]);
    const right = supported === isFaithful;
    if (!right && values.show === true) say(`  ${rule} ${reason ?? 'kept'}: ${text}\n    of: ${of.text}`);
    return right;
  };
  const checked = claims.map((claim) => ({ rule: claim.rule, right: isRight(claim) }));
  const count = (of: readonly { right: boolean }[]) => of.filter(({ right }) => right).length;
  const parts = [...Map.groupBy(checked, ({ rule }) => rule)].map(
    ([rule, own]) => `${rule} ${count(own)} of ${own.length}`,
  );
  const share = (count(checked) / Math.max(1, checked.length)).toFixed(3);
  return [`${share} (${count(checked)} of ${checked.length})`, parts.join(', ')];
}

function section(): string {
  return [
    '## Faithful and twisted sentences',
    '',
    `${environment()}. Command: \`node tools/lab/eval/meaning-changes.ts --data <folder> --wordnet <folder of WordNet’s files> --seed ${values.seed}\`.`,
    '',
    table(['set', 'sentences', 'judged rightly', 'by rule'], rows),
    '',
    'What the check of model answers and reports keeps of sentences that a seeded generator said faithfully in other words, and rejects of those that it twisted, each against the passage that it was made of. Goals: kept ≥ .9, rejected ≥ .9. Synonyms are WordNet’s.',
  ].join('\n');
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
