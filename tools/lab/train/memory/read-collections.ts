import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestQuestion } from './training-set.ts';

/** Documents with questions about them. */
export interface Collection {
  name: string;
  documents: { id: string; title: string; content: string }[];
  questions: TestQuestion[];
}

/** A folder of an unpacked Debian package. */
interface Source {
  package: string;
  folder: string;
  endings: string[];
  /** What names of files and folders must not begin with. */
  except?: string[];
  /** Whether folders inside are read, too. */
  deep?: boolean;
}

const HANDBOOK = join(import.meta.dirname, '../../../../examples/handbook');
/** Smaller files say nothing, and larger ones are all pages of a manual in one. */
const FILE_MIN_CHARS = 400;
const FILE_MAX_CHARS = 600_000;
const TITLE_MAX_CHARS = 200;

/** Our own questions over documentation that is unpacked in `docs`, one folder a package, and the handbook's. */
export async function readOwnCollections(docs: string): Promise<Collection[]> {
  const collections = await readJson<{ name: string; sources: Source[] }[]>(
    join(import.meta.dirname, 'collections.json'),
  );
  const questions = await readJson<(TestQuestion & { collection: string })[]>(
    join(import.meta.dirname, 'questions.json'),
  );
  const read = collections.map(async ({ name, sources }) => ({
    name,
    documents: (await Promise.all(sources.map((source) => readSource(docs, source)))).flat(),
    questions: questions.filter(({ collection }) => collection === name),
  }));
  return Promise.all([...read, readHandbook()]);
}

/** HotpotQA's questions and those over Python's documentation, of the folder that `npm run eval` measures with. */
export async function readMeasuredCollections(folder: string, docs: string): Promise<Collection[]> {
  const corpus = await readLines<{ _id?: string; id?: string; title: string; text: string }>(
    join(folder, 'hotpotqa100/corpus.jsonl'),
  );
  const asked = await readLines<{ text: string; answer?: string }>(join(folder, 'hotpotqa100/queries.jsonl'));
  const { questions } = await readJson<{ questions: TestQuestion[] }>(join(folder, 'research/answers.json'));
  const { development } = (await import(pathToFileURL(join(folder, 'tools/answer_corpus.mjs')).href)) as {
    development: (docs: string) => Collection['documents'];
  };
  return [
    {
      name: 'hotpot',
      documents: corpus.map(({ _id, id, title, text }) => ({ id: (id ?? _id)!, title, content: text })),
      questions: asked.flatMap(({ text, answer = '' }) =>
        answer === '' || /^(?:yes|no)$/i.test(answer) ? [] : [{ question: text, gold: answer }],
      ),
    },
    { name: 'python', documents: development(docs), questions },
  ];
}

/** The first questions of sets that none of these documents answers. */
export async function readForeignQuestions(folder: string, count: number): Promise<TestQuestion[]> {
  const sets = ['cranfield', 'scifact'].map((name) => readLines<{ text: string }>(join(folder, name, 'queries.jsonl')));
  return (await Promise.all(sets)).flatMap((lines) => lines.slice(0, count).map(({ text }) => ({ question: text })));
}

async function readHandbook(): Promise<Collection> {
  const { pages, questions } = await readJson<{
    pages: { path: string; title: string }[];
    questions: { question: string; answerable: boolean; answer_contains?: string[] }[];
  }>(`${HANDBOOK}.json`);
  const read = pages.map(async ({ path, title }) => ({
    id: path,
    title,
    content: await readFile(join(HANDBOOK, path), 'utf8'),
  }));
  return {
    name: 'handbook',
    documents: await Promise.all(read),
    questions: questions.map(({ question, answerable, answer_contains: all = [] }) => ({
      question,
      all: answerable ? all : [],
    })),
  };
}

async function readSource(docs: string, source: Source): Promise<Collection['documents']> {
  const { endings, except = [] } = source;
  const folder = join(docs, source.package, source.folder);
  const entries = await readdir(folder, { withFileTypes: true, recursive: source.deep ?? false });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => {
      const names = path.split('/');
      return (
        endings.some((ending) => path.endsWith(ending)) &&
        !names.some((name) => except.some((beginning) => name.startsWith(beginning)))
      );
    });
  const documents = await Promise.all(
    paths.sort().map(async (path) => {
      const content = await readFile(join(folder, path), 'utf8');
      return { id: `${source.package}/${path}`, title: titleOf(content) ?? path, content };
    }),
  );
  return documents.filter(({ content }) => content.length >= FILE_MIN_CHARS && content.length <= FILE_MAX_CHARS);
}

/** The title of a page, or the first line of a text that is no directive. */
function titleOf(content: string): string | undefined {
  const title =
    /<title>([^<]+)/i.exec(content)?.[1] ??
    content.split('\n').find((line) => /^\w.{3}/.test(line) && !line.startsWith('.. '));
  return title?.replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX_CHARS);
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
}
