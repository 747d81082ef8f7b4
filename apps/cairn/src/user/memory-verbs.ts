import type { EntityPath } from '@cairn/sdk';
import { UsageError } from './failures.ts';
import { EXPORTS } from './read-export.ts';
import { oneLine } from './printable.ts';
import { scopeOf } from './session.ts';
import { show, showRows } from './show.ts';
import { firstRows, given, LIMIT, oneOf, textOf, type Verb } from './verb.ts';

const STATUSES = ['queued', 'parsing', 'screening', 'routing', 'indexing', 'linking', 'completed', 'failed'] as const;
const JOB_STATUSES = ['running', 'completed'] as const;

/** What is done with what a memory holds. */
export const MEMORY_VERBS: readonly Verb[] = [
  {
    name: 'ask',
    about: 'ask a memory and get a cited answer',
    args: '<question...>',
    run: async (session, words) => (await import('./ask.ts')).askMemory(session, words),
  },
  {
    name: 'add',
    about: 'put files and folders into a memory and wait until they are searchable',
    args: '<path...>',
    run: async (session, paths) => (await import('./add.ts')).addToMemory(session, paths),
  },
  {
    name: 'import',
    about: `put what another memory exported into this one: ${EXPORTS.join(', ')}`,
    args: '<kind> <file>',
    run: async (session, [kind, file]) =>
      (await import('./add.ts')).importExport(session, oneOf(EXPORTS, kind, 'The kind')!, file!),
  },
  {
    name: 'export',
    about: 'write all that a memory holds, and the saved lists, into a new folder',
    args: '<folder>',
    run: async (session, [folder]) => (await import('./export.ts')).exportMemory(session, folder!),
  },
  {
    name: 'documents list',
    about: 'list the documents of a memory',
    options: [['--status <status>', STATUSES.join(', ')], LIMIT],
    async run(session, _args, options) {
      const status = oneOf(STATUSES, textOf(options, 'status'), '--status');
      const pages = (await session.client()).documents.list(given({ ...(await scopeOf(session)), status }));
      showRows(session, await firstRows(session, pages, options), [
        'doc_id',
        'status',
        'title',
        'external_id',
        'bytes',
      ]);
    },
  },
  {
    name: 'documents get',
    about: 'show one document',
    args: '<doc_id>',
    async run(session, [docId]) {
      const document = await (await session.client()).documents.get(docId!, await memoryOf(session));
      show(session, document, fieldLines);
    },
  },
  {
    name: 'documents delete',
    about: 'delete a document with everything that was made of it',
    args: '<doc_id>',
    async run(session, [docId]) {
      const deleted = await (await session.client()).documents.delete(docId!, await memoryOf(session));
      show(session, deleted, () => [`${docId} is deleted.`]);
    },
  },
  {
    name: 'documents download',
    about: 'write what was handed in as a document, where the memory keeps it',
    args: '<doc_id>',
    options: [['--output <file>', 'write it there, which must not exist, instead of to standard output']],
    async run(session, [docId], options) {
      const original = await (await session.client()).documents.original(docId!, await memoryOf(session));
      const { writeAnswer } = await import('./write-answer.ts');
      await writeAnswer(session, original, textOf(options, 'output'));
    },
  },
  {
    name: 'documents jobs',
    about: 'list the jobs that delete documents or try them again',
    options: [['--status <status>', JOB_STATUSES.join(', ')], LIMIT],
    async run(session, _args, options) {
      const status = oneOf(JOB_STATUSES, textOf(options, 'status'), '--status');
      const pages = (await session.client()).documents.jobs(given({ ...(await memoryOf(session)), status }));
      showRows(session, await firstRows(session, pages, options), [
        'job_id',
        'kind',
        'status',
        'documents',
        'done',
        'failed',
        'created_at',
      ]);
    },
  },
  {
    name: 'graph path',
    about: 'show how two names are connected, with the sentences that say so',
    args: '<from> <to>',
    async run(session, [from, to]) {
      const client = await session.client();
      const memory = await memoryOf(session);
      const idOf = async (name: string) => {
        const { entities } = await client.graph.entities.list({ ...memory, query: name, limit: 1 });
        if (entities[0] === undefined) throw new UsageError(`Nothing in the memory is called “${name}”.`);
        return entities[0].entity_id;
      };
      show(session, await client.graph.path(await idOf(from!), await idOf(to!), memory), pathLines);
    },
  },
  {
    name: 'memories list',
    about: 'list the memories',
    options: [LIMIT],
    async run(session, _args, options) {
      const rows = await firstRows(session, (await session.client()).memories.list(), options);
      showRows(session, rows, ['memory_id', 'display_name', 'type', 'status']);
    },
  },
  {
    name: 'memories create',
    about: 'create a memory',
    args: '<name>',
    async run(session, [name]) {
      const memory = await (await session.client()).memories.create({ display_name: name! });
      show(session, memory, ({ memory_id, display_name, status }) => [`${memory_id} (${display_name}) is ${status}.`]);
    },
  },
  {
    name: 'memories delete',
    about: 'delete a memory with all that it holds; cannot be undone',
    args: '<memory_id>',
    options: [['--yes', 'confirm the deletion']],
    async run(session, [memoryId], { yes }) {
      const { confirmed } = await import('./confirmed.ts');
      await confirmed(session, yes === true, `Delete ${memoryId} and all that it holds?`);
      const memory = await (await session.client()).memories.delete(memoryId!);
      show(session, memory, ({ memory_id, status }) => [`${memory_id} is ${status}.`]);
    },
  },
  {
    name: 'spaces list',
    about: 'list the spaces of a memory',
    options: [LIMIT],
    async run(session, _args, options) {
      const pages = (await session.client()).spaces.list(await memoryOf(session));
      showRows(session, await firstRows(session, pages, options), ['space_id', 'name', 'slug', 'member_count']);
    },
  },
  {
    name: 'spaces create',
    about: 'create a space',
    args: '<name>',
    options: [['--description <text>', 'what belongs there']],
    async run(session, [name], options) {
      const fields = { name: name!, description: textOf(options, 'description'), ...(await memoryOf(session)) };
      const space = await (await session.client()).spaces.create(given(fields));
      show(session, space, ({ space_id, slug }) => [`${space_id} (${slug}) is there.`]);
    },
  },
];

async function memoryOf(session: Parameters<Verb['run']>[0]): Promise<{ memory_id?: string }> {
  const memoryId = await session.memoryId();
  return memoryId === undefined ? {} : { memory_id: memoryId };
}

function pathLines({ entities, hops, truncated }: EntityPath): string[] {
  if (entities.length === 0)
    return [
      truncated ? 'No path was found; not everything could be looked at.' : 'No path leads from one to the other.',
    ];
  return entities.flatMap(({ name, type }, index) => {
    // A sentence that states several links is printed once.
    const said = hops[index]?.passages.flatMap(({ statements, title }) =>
      statements.map(({ text }) => ({ text, title })),
    );
    const lines = (said ?? []).map(({ text, title }) => `  ${oneLine(text)} [${title}]`);
    return [`${name} (${type})`, ...new Set(lines)];
  });
}

function fieldLines(value: object): string[] {
  const entries = Object.entries(value);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, field]) => {
    const text = typeof field === 'string' ? field : JSON.stringify(field);
    return `${name.padEnd(width)}  ${text}`;
  });
}
