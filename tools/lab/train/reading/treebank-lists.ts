import { infinitive, singular } from '../../../../libs/reading/src/tree/lemmas.ts';
import type { TreebankSentence } from './treebank.ts';

/** A word must be met so often before its other tags are ruled out. */
const FREQUENT = 40;

function count<T>(counts: Map<string, Map<T, number>>, key: string, value: T): void {
  const of = counts.get(key) ?? new Map<T, number>();
  of.set(value, (of.get(value) ?? 0) + 1);
  counts.set(key, of);
}

/** Lemmas of nouns and verbs that the endings alone give wrongly, by the treebank's majority. */
export function irregularLemmas(sentences: readonly TreebankSentence[]): [string, string][] {
  const counts = new Map<string, Map<string, number>>();
  for (const { words } of sentences)
    for (const { form, lemma, universal, tag } of words) {
      const letter = universal === 'NOUN' ? 'N' : universal === 'VERB' || universal === 'AUX' ? 'V' : null;
      if (letter !== null && (tag.startsWith('N') || tag.startsWith('V')))
        count(counts, `${letter} ${form.toLowerCase()} ${tag}`, lemma);
    }
  const lemmas = new Map<string, string>();
  for (const [key, of] of counts) {
    const [letter, lower, tag] = key.split(' ') as [string, string, string];
    const lemma = [...of].sort((a, b) => b[1] - a[1])[0]![0];
    const regular = letter === 'N' ? singular(lower, tag) : infinitive(lower, tag);
    if (lemma !== regular && !/^VB[PZ]?$|^NN$/.test(tag)) lemmas.set(`${letter} ${lower}`, lemma);
    else if (lemma !== regular && ['be', 'have', 'do'].includes(lemma)) lemmas.set(`${letter} ${lower}`, lemma);
  }
  return [...lemmas].sort();
}

/** The tags of frequent words that are not capitalised. One that is there once in two hundred times is an error. */
export function frequentTags(sentences: readonly TreebankSentence[], tags: readonly string[]): [string, number[]][] {
  const counts = new Map<string, Map<string, number>>();
  for (const { words } of sentences)
    for (const { form, tag } of words) if (form === form.toLowerCase()) count(counts, form, tag);
  return [...counts]
    .map(([word, of]): [string, [string, number][]] => [word, [...of]])
    .filter(([, of]) => of.reduce((sum, [, n]) => sum + n, 0) >= FREQUENT)
    .map(([word, of]): [string, number[]] => {
      const sum = of.reduce((all, [, n]) => all + n, 0);
      return [word, of.filter(([, n]) => n * 200 >= sum).map(([tag]) => tags.indexOf(tag))];
    })
    .sort();
}
