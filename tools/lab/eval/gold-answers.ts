import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environment, table } from '../measurement/page.ts';
import { quantile } from '../measurement/quantile.ts';
import { handbookQuestions, supportOf } from './answers.ts';
import { readRetrievalSet } from './retrieval-set.ts';
import { type AnswerResult, askAnswer, ingestAll, type Target } from './through-http.ts';

/** Questions of each further set that are asked of a memory that cannot answer them. */
const STRANGERS_MAX = 100;

/** A question over documentation, with what the folder's scorer needs. */
interface DocumentationQuestion {
  question: string;
}

type Outcome = 'right' | 'partly' | 'wrong' | 'abstained';

/** Figures of all answers, each made without a model. */
interface GoldFigures {
  documentation: Record<Outcome, number>;
  /** HotpotQA's questions with a short answer, and how many answers, and ten best passages, have it. */
  hotpot: { questions: number; inAnswer: number; inTopTen: number };
  /** Questions that their memory cannot answer, and how many were answered. */
  unanswerable: { asked: string; questions: number; answered: number }[];
  /** Sentences of all answers, and how many stand word for word in what they cite. */
  support: { sentences: number; supported: number };
  latenciesMs: number[];
}

/**
 * Asks the questions of `<folder>/research/answers.json` over the documentation that is unpacked in `docs`, HotpotQA's,
 * and of each memory questions that are about the other. The documents' ids and texts are read by the folder's own
 * `tools/answer_corpus.mjs`, and its answers judged by its `tools/research_lib.mjs`.
 */
export async function measureGoldAnswers(
  target: Target,
  { folder, docs, handbook }: { folder: string; docs: string; handbook: string },
): Promise<GoldFigures> {
  const { questions } = JSON.parse(await readFile(join(folder, 'research', 'answers.json'), 'utf8')) as {
    questions: DocumentationQuestion[];
  };
  const hotpot = await readRetrievalSet(folder, 'hotpotqa100');
  const documentation = await memoryOf(target, 'documentation', await readDocumentation(folder, docs));
  const paragraphs = await memoryOf(target, hotpot.name, hotpot.documents);
  const figures: GoldFigures = {
    documentation: { right: 0, partly: 0, wrong: 0, abstained: 0 },
    hotpot: { questions: 0, inAnswer: 0, inTopTen: 0 },
    unanswerable: [],
    support: { sentences: 0, supported: 0 },
    latenciesMs: [],
  };
  const ask = async (text: string, memoryId: string) => {
    const startedMs = performance.now();
    const answer = await askAnswer(target, text, memoryId);
    figures.latenciesMs.push(performance.now() - startedMs);
    const { sentences, supported } = supportOf(answer);
    figures.support.sentences += sentences;
    figures.support.supported += supported;
    return answer;
  };
  const { scoreAnswer } = await toolOf<{ scoreAnswer: (answer: AnswerResult, gold: DocumentationQuestion) => Outcome }>(
    folder,
    'research_lib.mjs',
  );
  for (const one of questions) figures.documentation[scoreAnswer(await ask(one.question, documentation), one)] += 1;
  for (const { text, answer: gold = '' } of hotpot.questions) {
    if (gold === '' || /^(?:yes|no)$/i.test(gold)) continue;
    const answer = await ask(text, paragraphs);
    figures.hotpot.questions += 1;
    if (containsAnswer(answer.answer, gold)) figures.hotpot.inAnswer += 1;
    if (answer.results.slice(0, 10).some((result) => containsAnswer(`${result.title}\n${result.text}`, gold)))
      figures.hotpot.inTopTen += 1;
  }
  const strangers = async (asked: string, texts: readonly string[], memoryId: string) => {
    let answered = 0;
    for (const text of texts) if ((await ask(text, memoryId)).citations.length > 0) answered += 1;
    figures.unanswerable.push({ asked, questions: texts.length, answered });
  };
  const firstOf = async (name: string) =>
    (await readRetrievalSet(folder, name)).questions.slice(0, STRANGERS_MAX).map(({ text }) => text);
  const asTexts = questions.map(({ question }) => question);
  await strangers('documentation’s, of HotpotQA', asTexts, paragraphs);
  await strangers('HotpotQA’s, of the documentation', await firstOf('hotpotqa100'), documentation);
  await strangers('Cranfield’s, of the documentation', await firstOf('cranfield'), documentation);
  await strangers('SciFact’s, of HotpotQA', await firstOf('scifact'), paragraphs);
  const own = (await handbookQuestions(target, handbook)).filter(({ answerable }) => !answerable);
  await strangers(
    'handbook’s unanswerable',
    own.map(({ text }) => text),
    own[0]!.memoryId,
  );
  return figures;
}

/** Whether a text has a short answer in whole words; case, accents, articles and punctuation aside. */
export function containsAnswer(text: string, gold: string): boolean {
  return ` ${wordsOf(text.replace(/\[\d+\]/g, ''))} `.includes(` ${wordsOf(gold)} `);
}

function wordsOf(text: string): string {
  const bare = text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('&amp;', '&');
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !['the', 'a', 'an'].includes(word)).join(' ');
}

async function readDocumentation(folder: string, docs: string): Promise<{ id: string; title: string; text: string }[]> {
  const { development } = await toolOf<{
    development: (docs: string) => { id: string; title: string; content: string }[];
  }>(folder, 'answer_corpus.mjs');
  return development(docs).map(({ id, title, content }) => ({ id, title, text: content }));
}

/** A module that comes with the questions. */
async function toolOf<T>(folder: string, file: string): Promise<T> {
  return (await import(pathToFileURL(resolve(folder, 'tools', file)).href)) as T;
}

async function memoryOf(
  target: Target,
  name: string,
  documents: Parameters<typeof ingestAll>[1]['documents'],
): Promise<string> {
  const { memories } = await ingestAll(target, { name, documents });
  return memories.get('')!;
}

/** The section of the page. */
export function goldReport(figures: GoldFigures): string {
  const { documentation, hotpot, unanswerable, support, latenciesMs } = figures;
  const asked = Object.values(documentation).reduce((sum, count) => sum + count, 0);
  const share = (part: number, whole: number) => `${(part / Math.max(1, whole)).toFixed(3)} (${part} of ${whole})`;
  const all = unanswerable.reduce((sum, { questions }) => sum + questions, 0);
  const answered = unanswerable.reduce((sum, one) => sum + one.answered, 0);
  return [
    '## Answers against gold, through the API, without a model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder> --sets answers --docs <folder>\`.`,
    '',
    table(
      ['measure', 'share'],
      [
        ...Object.entries(documentation).map(([outcome, count]) => [`documentation: ${outcome}`, share(count, asked)]),
        ['HotpotQA: gold in the answer', share(hotpot.inAnswer, hotpot.questions)],
        ['HotpotQA: gold in the ten best passages', share(hotpot.inTopTen, hotpot.questions)],
        ...unanswerable.map((one) => [`false answers: ${one.asked}`, share(one.answered, one.questions)]),
        ['false answers: all', share(answered, all)],
        ['sentences that stand in what they cite', share(support.supported, support.sentences)],
        ['ms p50 / p95', `${quantile(latenciesMs, 0.5).toFixed(1)} / ${quantile(latenciesMs, 0.95).toFixed(1)}`],
      ],
    ),
    '',
    'Documentation: Python’s tutorial, how-tos, FAQ and library as reStructuredText and the Debian Reference as HTML, as their packages ship them, read with no preparation. The scorer that comes with the questions calls an answer right when it has one of the accepted forms within 900 characters, partly right when it is longer or has a lesser form; where nothing answers, only to say so is right. HotpotQA: the short answer in whole words; questions answered with yes or no are left out. False answers: questions asked of a memory that is about something else.',
  ].join('\n');
}
