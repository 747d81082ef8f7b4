import type { Cairn } from './cairn.ts';
import type { RequestOptions } from './core/shapes.ts';

const DOCUMENTS_LISTED = 50;
const PASSAGES_FOUND = 5;
const PAGE_BYTES = 32 * 1_024;

/** A parameter is a text; frameworks hand the schema to the model as it is. */
export interface ToolParameters {
  type: 'object';
  properties: Record<string, { type: 'string'; description: string; minLength?: number }>;
  required: string[];
  additionalProperties: false;
}

/** What an agent can do with a memory, without any framework. */
export interface MemoryTool<Input, Output> {
  description: string;
  parameters: ToolParameters;
  /** The input of a model as one of this tool; what does not fit is a TypeError that tells the model why. */
  check(input: unknown): Input;
  run(input: Input, options?: Pick<RequestOptions, 'signal'>): Promise<Output>;
}

export interface Found {
  /** Refers to the citations as [1], [2] … */
  answer: string;
  confidence: number;
  citations: { number: number; doc_id: string; chunk_id: string; title: string; snippet: string }[];
  /** What was found, the best first, whether or not the answer cites it. */
  passages: { doc_id: string; chunk_id: string; title: string; text: string }[];
}

export interface ReadingTools {
  search_memory: MemoryTool<{ question: string }, Found>;
  list_documents: MemoryTool<
    { containing?: string },
    { documents: { doc_id: string; title: string; status: string }[] }
  >;
  read_document: MemoryTool<
    { doc_id: string; cursor?: string },
    { doc_id: string; title: string; text: string; next_cursor?: string }
  >;
}

export interface WritingTools {
  remember: MemoryTool<{ text: string; title?: string }, { doc_id: string; status: string }>;
}

export interface ResearchTools {
  start_research: MemoryTool<{ question: string }, { thread_id: string; status: string }>;
  read_research: MemoryTool<{ thread_id: string }, { status: string; percent: number; report: string | null }>;
}

export interface MemoryToolsOptions<Writes extends boolean = false, Research extends boolean = false> {
  client: Cairn;
  /** The memory that the tools read; the model cannot name another. */
  memory: string;
  /** Only this space of it. */
  space?: string;
  /** Also a tool that remembers a text. */
  writes?: Writes;
  /** Also tools that start research, which costs credits, and read its report. */
  research?: Research;
}

export type MemoryTools<Writes extends boolean = false, Research extends boolean = false> = ReadingTools &
  (Writes extends true ? WritingTools : unknown) &
  (Research extends true ? ResearchTools : unknown);

/** One memory as tools for an agent. The adapters give them to their frameworks. */
export function memoryTools<Writes extends boolean = false, Research extends boolean = false>(
  options: MemoryToolsOptions<Writes, Research>,
): MemoryTools<Writes, Research> {
  const { space, writes = false, research = false } = options;
  if (research && space !== undefined) throw new TypeError('research reads a whole memory, not one space');
  return {
    ...readingTools(options),
    ...(writes ? writingTools(options) : {}),
    ...(research ? researchTools(options) : {}),
  } as MemoryTools<Writes, Research>;
}

type Scope = Pick<MemoryToolsOptions, 'client' | 'memory' | 'space'>;

function readingTools({ client, memory: memory_id, space }: Scope): ReadingTools {
  const within = space === undefined ? { memory_id } : { memory_id, space_id: space };
  return {
    search_memory: tool(
      'Search the memory and answer a question from it. Returns the answer and its numbered sources, with the passages found.',
      { question: 'The question, as a whole sentence.' },
      {},
      async ({ question }, options) => {
        const request = { query: question, top_k: PASSAGES_FOUND, ...within };
        const { answer, confidence, citations, results } = await client.search.query(request, options);
        const sources = citations.map(({ doc_id, chunk_id, title, snippet }, index) => ({
          number: index + 1,
          doc_id,
          chunk_id,
          title,
          snippet,
        }));
        const passages = results.map(({ doc_id, chunk_id, title, text }) => ({ doc_id, chunk_id, title, text }));
        return { answer, confidence, citations: sources, passages };
      },
    ),
    list_documents: tool(
      'List documents of the memory, the newest first.',
      {},
      { containing: 'Only documents whose title or external id contains these words.' },
      async ({ containing }, options) => {
        const query = containing === undefined || containing === '' ? {} : { query: containing };
        const found = await client.documents
          .list({ ...within, ...query, sort: 'newest' }, options)
          .all(DOCUMENTS_LISTED);
        return { documents: found.map(({ doc_id, title, status }) => ({ doc_id, title, status })) };
      },
    ),
    read_document: tool(
      'Read a document of the memory by its id. A long one comes in pages.',
      { doc_id: 'The id, as a source or the list of documents names it.' },
      { cursor: 'The next_cursor of the page before.' },
      async ({ doc_id, cursor }, options) => {
        if (space !== undefined) await refuseOtherSpaces(client, { doc_id, memory_id, space }, options);
        const page = cursor === undefined || cursor === '' ? {} : { cursor };
        const content = await client.documents.content(doc_id, { memory_id, max_bytes: PAGE_BYTES, ...page }, options);
        const { title, chunks, next_cursor } = content;
        const text = chunks.map((chunk) => chunk.text).join('\n\n');
        return { doc_id, title, text, ...(next_cursor === undefined ? {} : { next_cursor }) };
      },
    ),
  };
}

/** Reading takes a document of any space that the key may read, so that tools of one space have to look first. */
async function refuseOtherSpaces(
  client: Cairn,
  { doc_id, memory_id, space }: { doc_id: string; memory_id: string; space: string },
  options?: RequestOptions,
): Promise<void> {
  const { space_id } = await client.documents.get(doc_id, { memory_id }, options);
  if (space_id !== space) throw new TypeError(`there is no document ${doc_id} in this space`);
}

function writingTools({ client, memory: memory_id, space }: Scope): WritingTools {
  return {
    remember: tool(
      'Store a text in the memory, so that it can be found later. Returns the id of the new document.',
      { text: 'The text, plain or Markdown.' },
      { title: 'What it is about, in a few words.' },
      async ({ text, title }, options) => {
        const named = title === undefined || title === '' ? {} : { title };
        const within = space === undefined ? { memory_id } : { memory_id, space_id: space };
        const { documents } = await client.documents.add({ content: text, ...named, ...within }, options);
        const [{ doc_id, status }] = documents as [(typeof documents)[0]];
        return { doc_id, status };
      },
    ),
  };
}

function researchTools({ client, memory: memory_id }: Scope): ResearchTools {
  return {
    start_research: tool(
      'Start research that takes minutes and ends in a cited report. Returns the id to read it by.',
      { question: 'What the report is to answer.' },
      {},
      async ({ question }, options) => {
        const started = await client.runs.startResearch({ query: question, memory_id }, options);
        return { thread_id: started.thread_id, status: started.status };
      },
    ),
    read_research: tool(
      'Read how research stands and, once it is completed, its report.',
      { thread_id: 'The id that starting it returned.' },
      {},
      async ({ thread_id }, options) => {
        const run = await client.runs.status(thread_id, options);
        if (run.memory_id !== memory_id) throw new TypeError(`there is no run ${thread_id} of this memory`);
        const report = run.status === 'completed' ? run.final_report : null;
        return { status: run.status, percent: run.progress.percent, report };
      },
    ),
  };
}

type Texts<Required extends string, Optional extends string> = Record<Required, string> &
  Partial<Record<Optional, string>>;

/** A tool whose parameters are texts, described by name. */
function tool<Required extends string, Optional extends string, Output>(
  description: string,
  required: Record<Required, string>,
  optional: Record<Optional, string>,
  work: (input: Texts<Required, Optional>, options?: Pick<RequestOptions, 'signal'>) => Promise<Output>,
): MemoryTool<Texts<Required, Optional>, Output> {
  const names = Object.keys(required) as Required[];
  const properties: ToolParameters['properties'] = {};
  for (const name of names) properties[name] = { type: 'string', description: required[name], minLength: 1 };
  for (const [name, text] of Object.entries<string>(optional)) properties[name] = { type: 'string', description: text };
  const parameters: ToolParameters = { type: 'object', properties, required: names, additionalProperties: false };
  const check = (input: unknown) => checked(parameters, input) as Texts<Required, Optional>;
  return { description, parameters, check, run: async (input, options) => work(check(input), options) };
}

function checked({ properties, required }: ToolParameters, input: unknown): Record<string, string> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new TypeError('expected an object');
  const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined);
  for (const [name, value] of fields) {
    if (!Object.hasOwn(properties, name)) throw new TypeError(`'${name}' is not a parameter`);
    if (typeof value !== 'string') throw new TypeError(`'${name}' has to be a text`);
  }
  const given = Object.fromEntries(fields) as Record<string, string>;
  for (const name of required) if ((given[name] ?? '') === '') throw new TypeError(`'${name}' is missing`);
  return given;
}
