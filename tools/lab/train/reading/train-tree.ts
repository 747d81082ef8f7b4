import { bestOf } from '../../../../libs/reading/src/learned/linear-model.ts';
import { type Vocabulary, type WordFeatures } from '../../../../libs/reading/src/learned/words.ts';
import { arcKey, Labeller, tagKinds } from '../../../../libs/reading/src/tree/labeller.ts';
import { IMPOSSIBLE, oracleCosts, ParseState, Parser } from '../../../../libs/reading/src/tree/parser.ts';
import { Tagger } from '../../../../libs/reading/src/tree/tagger.ts';
import { Perceptron, randomNumbers, shuffle } from './perceptron.ts';
import type { TreebankSentence } from './treebank.ts';

const TAG_ROOT = 81;
const TAGGER_BITS = 18;
const PARSER_BITS = 20;
const LABELLER_BITS = 18;
const TAGGER_EPOCHS = 6;
const JACKKNIFE_EPOCHS = 3;
const PARSER_EPOCHS = 10;
const LABELLER_EPOCHS = 5;
/** How often the parser follows its own action in training, after the first epoch. */
const EXPLORATION = 0.9;

export interface Example {
  words: WordFeatures[];
  tags: Int32Array;
  heads: Int32Array;
  labels: Int32Array;
}

/** A sentence as numbers; tags and labels that training did not have count as wrong. */
export function exampleOf(
  { words }: TreebankSentence,
  vocabulary: Vocabulary,
  tags: readonly string[],
  labels: readonly string[],
): Example {
  return {
    words: words.map(({ form }) => vocabulary.word(form)),
    tags: Int32Array.from(words, ({ tag }) => tags.indexOf(tag)),
    heads: Int32Array.from(words, ({ head }) => head),
    labels: Int32Array.from(words, ({ label }) => labels.indexOf(label)),
  };
}

function learnTags(examples: readonly Example[], tagCount: number, epochs: number): Perceptron {
  const perceptron = new Perceptron(TAGGER_BITS, tagCount);
  const tagger = new Tagger(perceptron);
  const random = randomNumbers(7);
  const order = [...examples];
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const { words, tags } of order)
      tagger.train(words, (i, rows, count) => {
        const guess = bestOf(perceptron.score(rows, count), tagCount);
        perceptron.update(tags[i]!, guess, rows, count);
        return guess;
      });
  }
  perceptron.average();
  return perceptron;
}

export function trainTagger(examples: readonly Example[], tagCount: number): Perceptron {
  return learnTags(examples, tagCount, TAGGER_EPOCHS);
}

/** Tags as the tagger will give them: each half is tagged by what was learned from the other. */
export function jackknifedTags(examples: readonly Example[], tagCount: number): Map<Example, Int32Array> {
  const given = new Map<Example, Int32Array>();
  for (const part of [0, 1]) {
    const tagger = new Tagger(
      learnTags(
        examples.filter((_, i) => i % 2 !== part),
        tagCount,
        JACKKNIFE_EPOCHS,
      ),
    );
    for (const [i, example] of examples.entries()) if (i % 2 === part) given.set(example, tagger.tag(example.words));
  }
  return given;
}

export function trainParser(examples: readonly Example[], tagsOf: Map<Example, Int32Array>): Perceptron {
  const perceptron = new Perceptron(PARSER_BITS, 3);
  const parser = new Parser(perceptron);
  const random = randomNumbers(11);
  const order = examples.filter(({ words }) => words.length > 1);
  for (let epoch = 0; epoch < PARSER_EPOCHS; epoch++) {
    shuffle(order, random);
    for (const example of order) {
      const state = new ParseState(example.words.length);
      while (!state.done) {
        const { scores, rows, count } = parser.score(state, example.words, tagsOf.get(example)!);
        const costs = oracleCosts(state, example.heads);
        const least = Math.min(...costs);
        let guess = -1;
        let best = -1;
        for (let action = 0; action < 3; action++) {
          if (costs[action]! >= IMPOSSIBLE) continue;
          if (guess < 0 || scores[action]! > scores[guess]!) guess = action;
          if (costs[action] === least && (best < 0 || scores[action]! > scores[best]!)) best = action;
        }
        const right = costs[guess] === least;
        perceptron.update(right ? guess : best, guess, rows, count);
        state.apply(right || (epoch > 0 && random() < EXPLORATION) ? guess : best);
      }
    }
  }
  perceptron.average();
  return perceptron;
}

/** Labels that the treebank gives an arc between two tags; pairs that are rare stay open. */
export function arcLabels(examples: readonly Example[]): [number, number[]][] {
  const counts = new Map<number, Map<number, number>>();
  for (const { words, tags, heads, labels } of examples)
    for (let d = 0; d < words.length; d++) {
      const h = heads[d]!;
      const key = arcKey(h < words.length ? tags[h]! : TAG_ROOT, tags[d]!, h < d);
      const of = counts.get(key) ?? new Map<number, number>();
      of.set(labels[d]!, (of.get(labels[d]!) ?? 0) + 1);
      counts.set(key, of);
    }
  return [...counts]
    .filter(([, of]) => [...of.values()].reduce((a, b) => a + b, 0) >= 30)
    .map(([key, of]) => [key, [...of.keys()].sort((a, b) => a - b)]);
}

export function trainLabeller(
  examples: readonly Example[],
  tagsOf: Map<Example, Int32Array>,
  tagNames: readonly string[],
  labelCount: number,
): Perceptron {
  const perceptron = new Perceptron(LABELLER_BITS, labelCount);
  const labeller = new Labeller(perceptron, tagKinds(tagNames), new Map());
  const random = randomNumbers(13);
  const order = [...examples];
  for (let epoch = 0; epoch < LABELLER_EPOCHS; epoch++) {
    shuffle(order, random);
    for (const example of order)
      labeller.train(example.words, tagsOf.get(example)!, example.heads, (d, rows, count) => {
        perceptron.update(example.labels[d]!, bestOf(perceptron.score(rows, count), labelCount), rows, count);
      });
  }
  perceptron.average();
  return perceptron;
}
