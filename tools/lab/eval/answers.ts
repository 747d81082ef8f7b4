import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auroc } from './auroc.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import { type AnswerResult, askAnswer, ingestAll, type Target } from './through-http.ts';

/** Figures of the answers to one set of questions. */
export interface AnswerFigures {
  name: string;
  questions: number;
  /** Answers that say something. */
  answered: number;
  /** Sentences of answers, and how many stand word for word in what they cite. */
  sentences: number;
  supported: number;
  /** Answerable questions whose answer or cited passages have the gold evidence. */
  evidence: { found: number; of: number };
  /** Area under the curve that tells answerable questions from others, by `confidence` and by the best score. */
  abstention: { confidence: number; topScore: number; answerable: number; others: number } | null;
}

interface EvaluatedQuestion {
  text: string;
  memoryId: string;
  answerable: boolean;
  /** What must be found, each a text of the answer or of a cited passage, or a cited document. */
  gold: { texts: string[]; documents: string[] } | null;
}

/** The company handbook that ships with the project, with its questions. */
export async function handbookQuestions(target: Target, folder: string): Promise<EvaluatedQuestion[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.md'));
  const documents = await Promise.all(
    files.map(async (file) => ({
      id: file,
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
  const { memories } = await ingestAll(target, { name: 'handbook', documents });
  const { questions } = JSON.parse(await readFile(`${folder}.json`, 'utf8')) as {
    questions: { question: string; answerable: boolean; answer_contains?: string[] }[];
  };
  return questions.map(({ question, answerable, answer_contains }) => ({
    text: question,
    memoryId: memories.get('')!,
    answerable,
    gold: answerable ? { texts: answer_contains ?? [], documents: [] } : null,
  }));
}

/** The questions of a set that has been ingested; `unanswerable` ones beside them. */
export function setQuestions(
  set: RetrievalSet,
  memories: ReadonlyMap<string, string>,
  unanswerable: readonly { text: string; scope?: string }[] = [],
): EvaluatedQuestion[] {
  const memoryOf = (scope: string | undefined) => memories.get(scope ?? '')!;
  return [
    ...set.questions.map(({ id, text, scope }) => ({
      text,
      memoryId: memoryOf(scope),
      answerable: true,
      gold: { texts: [], documents: [...set.judgements.get(id)!.keys()] },
    })),
    ...unanswerable.map(({ text, scope }) => ({ text, memoryId: memoryOf(scope), answerable: false, gold: null })),
  ];
}

/** Asks every question and checks each answer by nothing but the texts that the API shows. */
export async function measureAnswers(
  target: Target,
  name: string,
  asked: readonly EvaluatedQuestion[],
  documentIds: ReadonlyMap<string, string>,
): Promise<AnswerFigures> {
  const figures = { name, questions: asked.length, answered: 0, sentences: 0, supported: 0 };
  const evidence = { found: 0, of: 0 };
  const seen: { answerable: boolean; confidence: number; topScore: number }[] = [];
  for (const question of asked) {
    const answer = await askAnswer(target, question.text, question.memoryId);
    const texts = new Map(answer.results.map(({ chunk_id, text }) => [chunk_id, text]));
    if (answer.citations.length > 0) figures.answered += 1;
    const { sentences, supported } = supportOf(answer);
    figures.sentences += sentences;
    figures.supported += supported;
    if (question.gold !== null) {
      evidence.of += 1;
      const cited = answer.citations.map(({ doc_id }) => documentIds.get(doc_id) ?? doc_id);
      const said = plain(
        [answer.answer, ...answer.citations.map(({ chunk_id }) => texts.get(chunk_id) ?? '')].join(' '),
      );
      const { texts: golden, documents } = question.gold;
      if (golden.every((text) => said.includes(plain(text))) && documents.every((id) => cited.includes(id)))
        evidence.found += 1;
    }
    const topScore = answer.results[0]?.score ?? 0;
    seen.push({ answerable: question.answerable, confidence: answer.confidence, topScore });
  }
  return { ...figures, evidence, abstention: abstentionOf(seen) };
}

/** Sentences of an answer, and how many stand word for word in the text of every passage that they cite. */
export function supportOf(answer: AnswerResult): { sentences: number; supported: number } {
  const texts = new Map(answer.results.map(({ chunk_id, text }) => [chunk_id, plain(text)]));
  const sentences = sentencesOf(answer.answer);
  const supported = sentences.filter(({ sentence, cited }) => {
    const sources = cited.map((id) => answer.citations.find(({ citation_id }) => citation_id === id)?.chunk_id);
    return sources.length > 0 && sources.every((id) => (texts.get(id ?? '') ?? '').includes(plain(sentence)));
  });
  return { sentences: sentences.length, supported: supported.length };
}

function abstentionOf(
  seen: readonly { answerable: boolean; confidence: number; topScore: number }[],
): AnswerFigures['abstention'] {
  const [yes, no] = [seen.filter((one) => one.answerable), seen.filter((one) => !one.answerable)];
  if (no.length === 0) return null;
  const by = (pick: (one: (typeof seen)[number]) => number) => auroc(yes.map(pick), no.map(pick));
  return {
    confidence: by((one) => one.confidence),
    topScore: by((one) => one.topScore),
    answerable: yes.length,
    others: no.length,
  };
}

/** Pieces of an answer up to a citation, with the numbers cited. */
function sentencesOf(answer: string): { sentence: string; cited: string[] }[] {
  let last = 0;
  return [...answer.matchAll(/(?<!\s|\[\d{1,2}\])(?:\s{0,4}\[\d{1,2}\]){1,20}(?=\s|$)/g)].map((match) => {
    const sentence = answer.slice(last, match.index);
    last = match.index + match[0].length;
    return { sentence, cited: [...match[0].matchAll(/\d+/g)].map(([number]) => number) };
  });
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
