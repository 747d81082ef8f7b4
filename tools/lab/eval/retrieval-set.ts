import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface CorpusDocument {
  id: string;
  text: string;
  title?: string;
  scope?: string;
  /** What a user would send along: when it was said, by whom. */
  meta?: { date_time?: string; session?: number; speaker?: string };
}

interface Question {
  id: string;
  text: string;
  /** Short, where the set has one. */
  answer?: string;
  scope?: string;
}

/** One set to measure retrieval with: documents, questions, and which answer which. */
export interface RetrievalSet {
  name: string;
  documents: CorpusDocument[];
  questions: Question[];
  judgements: Map<string, Map<string, number>>;
}

/** Reads `<folder>/<name>/{corpus,queries,qrels}.jsonl`; questions without a judgement and empty documents are left out. */
export async function readRetrievalSet(folder: string, name: string): Promise<RetrievalSet> {
  const lines = async <T>(file: string) =>
    (await readFile(join(folder, name, file), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  const judgements = new Map<string, Map<string, number>>();
  for (const { query_id, doc_id, relevance } of await lines<{ query_id: string; doc_id: string; relevance: number }>(
    'qrels.jsonl',
  )) {
    if (relevance <= 0) continue;
    const known = judgements.get(query_id) ?? new Map<string, number>();
    judgements.set(query_id, known.set(doc_id, relevance));
  }
  const questions = (await lines<Question>('queries.jsonl')).filter((question) => judgements.has(question.id));
  const documents = (await lines<CorpusDocument>('corpus.jsonl')).filter(
    (document) => document.text !== '' || (document.title ?? '') !== '',
  );
  return { name, documents, questions, judgements };
}

/** `<folder>/<name>/queries_adversarial.jsonl`: questions that the documents do not answer; none without the file. */
export async function readUnanswerable(folder: string, name: string): Promise<Question[]> {
  const content = await readFile(join(folder, name, 'queries_adversarial.jsonl'), 'utf8').catch(() => '');
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Question);
}
