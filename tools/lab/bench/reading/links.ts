import type { ReadingModel } from '../../../../libs/reading/src/learned/model.ts';
import { readLinks, wordsOf } from '../../../../libs/reading/src/links/read-links.ts';
import type { TextToken } from '../../../../libs/reading/src/text/tokens.ts';
import { SentenceParser } from '../../../../libs/reading/src/tree/sentence-parser.ts';
import type { Scorers } from './scorers.ts';

export interface LinkFigures {
  set: string;
  P: number;
  R: number;
  F: number;
  /** Area under the curve of precision and recall. */
  area: number;
}

const BRACKETS: Readonly<Record<string, string>> = { '``': '"', "''": '"', '-LRB-': '(', '-RRB-': ')' };

/** CaRB: open tuples of sentences that are cut into tokens already. */
export function measureLinks(model: ReadingModel, { carb, lib }: Scorers): LinkFigures[] {
  const parser = new SentenceParser(model);
  return ['carb-dev', 'carb-test'].map((set) => {
    const items = lib.load(`${set}.dev`) as { sentence: string }[];
    const predicted = new Map<string, { pred: string; args: string[]; conf: number }[]>();
    for (const { sentence } of items) {
      const tokens = tokensOf(sentence.split(' '));
      const words = (list: number[]) => wordsOf(list, (i) => tokens[i]!.form);
      const links = readLinks(parser.parse(tokens).tokens).map(({ subject, predicate, objects, confidence }) => ({
        pred: words(predicate),
        args: [subject, ...objects].map(words).filter((text) => text !== ''),
        conf: confidence,
      }));
      predicted.set(
        sentence,
        links.filter(({ pred, args }) => pred !== '' && args.length > 1),
      );
    }
    const { best, auc } = carb.carb(carb.goldMap(items), predicted);
    return { set, ...best, area: auc };
  });
}

function tokensOf(forms: readonly string[]): TextToken[] {
  let at = 0;
  return forms.map((raw) => {
    const form = BRACKETS[raw] ?? raw;
    const start = at;
    at += form.length + 1;
    return { form, start, end: start + form.length };
  });
}
