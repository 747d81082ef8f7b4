import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Relation } from '../../../../libs/reading/src/relations/relation.ts';

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

export type System = (text: string) => {
  entities: { text: string; type: string; start: number; end: number }[];
  facts: Fact[];
};

export interface HitCount {
  hit: number;
  n: number;
}

/** Shares: precision, recall with pronouns included, and recall of pairs whatever their relation. */
export interface KnowledgeNetScores {
  P: number;
  Ra: number;
  agnRa: number;
  passages: number;
  type: { ok: number; found: number };
  perProp: Record<string, { gold: number; map: number; tp: number; fp: number }>;
}

/** The scorers that come with the evaluation data, as far as they are used here. */
export interface Scorers {
  lib: {
    scoreKn(system: System, half: string, options: object): KnowledgeNetScores;
    scoreFewrel(system: System, set: string, n: number): { n: number; pair: number };
    load(set: string): unknown[];
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
    ): { r: Record<string, HitCount> };
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
