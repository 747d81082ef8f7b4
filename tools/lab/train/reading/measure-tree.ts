import type { Weights } from '../../../../libs/reading/src/learned/linear-model.ts';
import { type ModelHeader, modelOf, type TableName } from '../../../../libs/reading/src/learned/model.ts';
import { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';
import type { TreebankSentence } from './treebank.ts';

const PUNCTUATION = new Set(['.', ',', ':', '``', "''", '-LRB-', '-RRB-', 'HYPH', 'NFP']);

/** Tags, heads, and heads with labels that are right, of the tokens that are no punctuation for the last two. */
export function measureTree(
  header: Omit<ModelHeader, 'tables'>,
  weights: Map<TableName, Weights>,
  test: readonly TreebankSentence[],
): string {
  const empty: Weights = { bits: 1, classes: 3, values: new Int8Array(6) };
  const model = modelOf(header, new Map([...weights, ['detector', empty], ['typer', empty]]));
  const parser = new SentenceParser(model);
  let [all, tagged, words, headed, labelled] = [0, 0, 0, 0, 0];
  for (const { words: gold } of test) {
    const { tags, heads, labels } = parser.analyse(gold.map(({ form }) => parser.vocabulary.word(form)));
    for (const [i, word] of gold.entries()) {
      all++;
      if (model.tags[tags[i]!] === word.tag) tagged++;
      if (PUNCTUATION.has(word.tag)) continue;
      words++;
      if (heads[i] !== word.head) continue;
      headed++;
      if (model.labels[labels[i]!] === word.label) labelled++;
    }
  }
  const percent = (n: number, of: number) => ((100 * n) / of).toFixed(1);
  return `tags ${percent(tagged, all)}, heads ${percent(headed, words)}, with labels ${percent(labelled, words)}`;
}
