import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadingModel } from '../../../../libs/reading/src/learned/model.ts';
import { createReader } from '../../../../libs/reading/src/reader.ts';
import type { Relation } from '../../../../libs/reading/src/relations/relation.ts';
import { randomNumbers, shuffle } from '../../train/reading/perceptron.ts';

const SAMPLED_FACTS = 100;
const SAMPLED_NAMES = 200;

export interface ParagraphFigures {
  paragraphs: number;
  sentences: number;
  /** Relations that have a name of the library's or of their noun, and the open ones, by their verb's word. */
  facts: number;
  open: number;
  names: number;
  /** The most frequent relations. */
  frequent: [string, number][];
  /** Lines for whoever judges them. */
  sample: string[];
}

/** What is read of HotpotQA's paragraphs, each a document by itself, with a random sample of it to be judged by hand. */
export function measureParagraphs(model: ReadingModel, data: string, seed: number): ParagraphFigures {
  const reader = createReader(model);
  const lines = readFileSync(join(data, 'hotpotqa100', 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  const readings = texts.map((text) => reader.read(text));
  const relations = readings.flatMap((reading) => reading.relations);
  const facts = relations.filter(({ open }) => !open);
  const counts = Map.groupBy(facts, ({ relation }) => relation);
  const named = readings.flatMap(({ names }, i) =>
    names
      .filter(({ text }, k) => names.findIndex((name) => name.text === text) === k)
      .map((name) => `${name.text} <${name.type}> … ${around(texts[i]!, name)} …`),
  );
  return {
    paragraphs: texts.length,
    sentences: readings.reduce((sum, { sentences }) => sum + sentences.length, 0),
    facts: facts.length,
    open: relations.length - facts.length,
    names: named.length,
    frequent: [...counts]
      .map(([relation, { length }]): [string, number] => [relation, length])
      .sort((a, b) => b[1] - a[1])
      .slice(0, 20),
    sample: [...picked(facts.map(lineOf), SAMPLED_FACTS, seed), ...picked(named, SAMPLED_NAMES, seed)],
  };
}

function picked(lines: string[], n: number, seed: number): string[] {
  const order = [...lines];
  shuffle(order, randomNumbers(seed));
  return order.slice(0, n).map((line, i) => `${i + 1}. ${line}`);
}

function around(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(Math.max(0, start - 50), end + 50).replaceAll('\n', ' ');
}

function lineOf({ subject, relation, object, negated, quote, resolved, validity }: Relation): string {
  const notes = [negated ? 'NOT' : '', validity.past === true ? 'past' : '', resolved ? 'resolved' : ''];
  const said = `${subject.text} <${subject.type}> | ${relation} | ${object.text} ${notes.join(' ').trim()}`;
  return `${said}\n      ${quote.replaceAll('\n', ' ')}`;
}
