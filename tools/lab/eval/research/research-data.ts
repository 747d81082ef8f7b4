import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ListRow } from './research-client.ts';

export interface ListPrompt {
  id: string;
  prompt: string;
  kind?: 'people' | 'company';
  site?: string;
  gold: { name: string }[];
}

export interface InstructionsPrompt {
  id: string;
  prompt: string;
  /** The set that the prompt is about. */
  memory: 'documents' | 'paragraphs' | 'room';
}

export interface TableGold {
  tables: { file: string; questions: { id: string; kind: string; question: string; gold: unknown }[] }[];
}

interface ListScore {
  id: string;
  gold: number;
  found: number;
  wrong: number;
  cells: number;
  cellsRight: number;
}

/** The scorers that come with the data. */
interface Scorers {
  scoreList(rows: readonly ListRow[], prompt: ListPrompt): ListScore;
  totalLists(scores: readonly ListScore[]): {
    recall: number;
    precision: number;
    cellRecall: number;
    cellPrecision: number;
    found: number;
    gold: number;
    wrong: number;
    cells: number;
    cellsRight: number;
  };
  scoreTable(text: string, gold: unknown): boolean;
  scoreReport(report: string, gold: { prompt: string }): { coverage: number; stale: number; of: number; full: number };
  scoreInstructions(report: string, prompt: InstructionsPrompt): { ok: boolean; made: string[]; missing: unknown[] };
  comparable(report: string): string;
}

interface Sites {
  makeSites(corpus: unknown[]): { name: string; pages: Map<string, string> }[];
  serve(pages: Map<string, string>): Promise<{ url: string; close(): void; log: string[] }>;
  readCorpus(file: string): unknown[];
}

/** The folder of questions with gold, scorers and sites, by their own code. */
export interface ResearchData {
  folder: string;
  scorers: Scorers;
  sites: Sites;
  gold<T>(file: string): Promise<T>;
}

export async function readResearchData(data: string): Promise<ResearchData> {
  const folder = resolve(data);
  const tool = async <T>(file: string) => (await import(pathToFileURL(join(folder, 'tools', file)).href)) as T;
  return {
    folder,
    scorers: await tool<Scorers>('research_lib.mjs'),
    sites: await tool<Sites>('sites.mjs'),
    gold: async <T>(file: string) => JSON.parse(await readFile(join(folder, 'research', file), 'utf8')) as T,
  };
}
