import { parseArgs } from 'node:util';
import { judgeClaim } from '@cairn/prose';
import { seededRandom } from '@cairn/testing';
import { faithfulRules, readSentences, type ReadSentence, type Rule, TWISTS } from './claim-variants.ts';
import { readRetrievalSet } from './retrieval-set.ts';
import { readSynonyms } from './word-synonyms.ts';

/** What the check of model answers keeps of sentences said faithfully in other words, and rejects of twisted ones. */
const USAGE =
  'Usage: node tools/eval/twists.ts --data <folder of retrieval sets> --wordnet <folder of WordNet’s files> [--sets hotpotqa100] [--each 200] [--seed 1] [--show]';
const SENTENCES_PER_PASSAGE = 3;
const PASSAGES_MAX = 900;

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    wordnet: { type: 'string' },
    sets: { type: 'string', default: 'hotpotqa100' },
    each: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
if (values.data === undefined || values.wordnet === undefined) {
  say(USAGE);
  process.exit(2);
}
for (const set of values.sets.split(',')) {
  const { documents } = await readRetrievalSet(values.data, set);
  const random = seededRandom(Number(values.seed));
  const passages = shuffled(documents, random)
    .slice(0, PASSAGES_MAX)
    .map(({ title = '', text }) => ({ title, text }));
  const sentences = [...Map.groupBy(readSentences(passages), ({ passage }) => passage).values()].flatMap((own) =>
    own.slice(0, SENTENCES_PER_PASSAGE),
  );
  const each = Number(values.each);
  report(set, 'kept of faithful', sentences, faithfulRules(readSynonyms(values.wordnet)), true, each, random);
  report(set, 'rejected of twisted', sentences, TWISTS, false, each, random);
}

function report(
  set: string,
  what: string,
  sentences: readonly ReadSentence[],
  rules: Readonly<Record<string, Rule>>,
  isFaithful: boolean,
  each: number,
  random: () => number,
): void {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const perRule = each / Object.keys(rules).length;
  const parts: string[] = [];
  let [right, all] = [0, 0];
  for (const [name, rule] of Object.entries(rules)) {
    let [good, made] = [0, 0];
    for (const sentence of shuffled(sentences, random)) {
      if (made >= perRule) break;
      const claim = rule(sentence, pick);
      if (claim === null || claim === sentence.text) continue;
      made += 1;
      const { supported, reason } = judgeClaim(claim, [`${sentence.passage.title}\n${sentence.passage.text}`]);
      if (supported === isFaithful) good += 1;
      else if (values.show === true) say(`  ${name} ${reason ?? 'kept'}: ${claim}\n    of: ${sentence.text}`);
    }
    parts.push(`${name} ${good} of ${made}`);
    right += good;
    all += made;
  }
  say(`${set}: ${what} ${(right / Math.max(1, all)).toFixed(3)} (${right} of ${all}): ${parts.join(', ')}`);
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
