import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Relation } from '../src/relations/relation.ts';

interface Fact {
  subject: string;
  relation: string;
  object: string;
  negated: boolean;
  start: number;
  end: number;
}

interface Tuple {
  pred: string;
  args: string[];
  conf: number;
}

type System = (text: string) => {
  entities: { text: string; type: string; start: number; end: number }[];
  facts: Fact[];
};

/** The scorers that come with the evaluation data, as far as they are used here. */
export interface Scorers {
  lib: {
    scoreKn(
      system: System,
      half: string,
      options: object,
    ): { P: number; Ra: number; agnRa: number; type: { ok: number; found: number }; fps: unknown[]; misses: unknown[] };
    reportKn(name: string, result: object): void;
    f1(precision: number, recall: number): number;
    scoreFewrel(system: System, set: string, n: number): { n: number; pair: number };
    scoreNer(system: System, set: string): { spanF: string; typedF: string; typeAcc: string };
    knDocs(half: string): { text: string }[];
    load(set: string): { sentence: string }[];
  };
  carb: {
    goldMap(items: object[]): object;
    carb(gold: object, predicted: Map<string, Tuple[]>): { best: { P: number; R: number; F: number }; auc: number };
  };
  contradictions: {
    scoreContr(
      read: (text: string) => { facts: Relation[] },
      judge: (a: Relation[], b: Relation[]) => unknown[],
      half: string,
    ): object;
    reportContr(name: string, result: object): void;
  };
}

/** Loads `tools/extraction` of the data folder. The scorers find their data by the variable `DATA`. */
export async function loadScorers(data: string): Promise<Scorers> {
  const load = (name: string) => import(pathToFileURL(join(data, 'tools', 'extraction', name)).href);
  return {
    lib: (await load('lib.mjs')) as Scorers['lib'],
    carb: (await load('carb.mjs')) as Scorers['carb'],
    contradictions: (await load('score-contr.mjs')) as Scorers['contradictions'],
  };
}
