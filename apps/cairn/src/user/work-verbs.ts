import type { Cairn } from '@cairn/sdk';
import { EXIT, UsageError } from './failures.ts';
import type { Session } from './session.ts';
import { clipped, oneLine } from './printable.ts';
import { show, showJson, showRows } from './show.ts';
import { firstRows, given, LIMIT, oneOf, type Options, textOf, type Verb } from './verb.ts';

const KINDS = ['web', 'crawl', 'people', 'companies', 'research', 'deep-search'] as const;
type Kind = (typeof KINDS)[number];
const STATES = ['pending', 'delivering', 'delivered', 'dead_lettered', 'test_failed'] as const;
const FORMATS = ['csv', 'json'] as const;
/** Of one event's data, which may have a whole report; `--json` prints all of it. */
const DATA_MAX_CHARS = 160;

/** What is done about runs, lists and deliveries. */
export const WORK_VERBS: readonly Verb[] = [
  {
    name: 'runs start',
    about: `start a run: ${KINDS.join(', ')}`,
    args: '<kind> <prompt...>',
    options: [
      ['--data <json>', 'further fields, as the API has them'],
      ['--follow', 'print its events until it ends'],
    ],
    async run(session, [kind, ...words], options) {
      const started = await startRun(session, oneOf(KINDS, kind, 'The kind')!, words.join(' '), options);
      if (options['follow'] === true) return followRun(session, started.thread_id);
      show(session, started, ({ thread_id }) => [thread_id]);
      session.say(`Follow it with “cairn runs follow ${started.thread_id}”.`);
    },
  },
  {
    name: 'runs list',
    about: 'list the runs',
    options: [LIMIT],
    async run(session, _args, options) {
      const rows = await firstRows(session, (await session.client()).runs.list(), options);
      showRows(session, rows, ['thread_id', 'kind', 'status', 'prompt', 'created_at']);
    },
  },
  {
    name: 'runs follow',
    about: 'print the events of a run from its first one until it ends',
    args: '<thread_id>',
    run: (session, [threadId]) => followRun(session, threadId!),
  },
  {
    name: 'runs stop',
    about: 'stop a run',
    args: '<thread_id>',
    async run(session, [threadId]) {
      const stopped = await (await session.client()).runs.stop(threadId!);
      show(session, stopped, () => [`${threadId} is stopped.`]);
    },
  },
  {
    name: 'lists list',
    about: 'list the saved lists',
    options: [LIMIT],
    async run(session, _args, options) {
      const rows = await firstRows(session, (await session.client()).lists.list(), options);
      showRows(session, rows, ['id', 'listName', 'listType', 'listStatus', 'noOfRecords']);
    },
  },
  {
    name: 'lists export',
    about: 'print the rows of a list as a file',
    args: '<list_id>',
    options: [
      ['--format <format>', 'csv or json. Default: csv'],
      ['--output <file>', 'write it there, which must not exist, instead of to standard output'],
    ],
    async run(session, [listId], options) {
      const format = oneOf(
        FORMATS,
        textOf(options, 'format') ?? (session.flags.json === true ? 'json' : 'csv'),
        '--format',
      )!;
      const exported = await (await session.client()).lists.export(listId!, { format });
      const { writeAnswer } = await import('./write-answer.ts');
      await writeAnswer(session, exported, textOf(options, 'output'));
    },
  },
  {
    name: 'webhooks list',
    about: 'list the webhooks',
    options: [LIMIT],
    async run(session, _args, options) {
      const rows = await firstRows(session, (await session.client()).webhooks.list(), options);
      showRows(session, rows, ['webhook_id', 'url', 'status', 'dead_letters']);
    },
  },
  {
    name: 'webhooks deliveries',
    about: 'list deliveries of one webhook, or of all',
    args: '[webhook_id]',
    options: [['--state <state>', STATES.join(', ')], LIMIT],
    async run(session, [webhookId], options) {
      const state = oneOf(STATES, textOf(options, 'state'), '--state');
      const pages = (await session.client()).webhooks.allDeliveries(given({ webhook_id: webhookId, state }));
      showRows(session, await firstRows(session, pages, options), [
        'delivery_id',
        'webhook_id',
        'event',
        'state',
        'created_at',
      ]);
    },
  },
  {
    name: 'webhooks replay',
    about: 'send one delivery of a webhook again, or all that were given up',
    args: '<webhook_id> [delivery_id]',
    async run(session, [webhookId, deliveryId]) {
      const { webhooks } = await session.client();
      if (deliveryId === undefined) return showJson(session, await webhooks.replay(webhookId!));
      const delivery = await webhooks.deliveries.replay(webhookId!, deliveryId);
      show(session, delivery, ({ delivery_id, state }) => [`${delivery_id} is ${state}.`]);
    },
  },
  {
    name: 'webhooks listen',
    about: 'print events as they happen, with the bodies that webhooks receive',
    options: [
      ['--types <types>', 'only these, with commas between them'],
      ['--forward <url>', 'also post each, signed, to this address of this machine'],
      ['--secret-file <file>', 'file with the signing secret. Default: one for this run, which is printed'],
      ['--count <count>', 'end after so many'],
    ],
    run: async (session, _args, options) => (await import('./listen.ts')).listen(session, options),
  },
  {
    name: 'api',
    about: 'send a request to any path of the API: cairn api GET /memories',
    args: '<method> <path>',
    options: [['--data <json>', 'the JSON body; - reads it from standard input']],
    run: async (session, [method, path], options) =>
      (await import('./api-request.ts')).sendRequest(session, method!, path!, textOf(options, 'data')),
  },
  {
    name: 'call',
    about: 'call any operation by its name: cairn call listDocuments --limit 5; without a name, list them',
    args: '[operation] [values...]',
    passesFlags: true,
    run: async (session, args) => (await import('./call.ts')).callOperation(session, args),
  },
];

async function startRun(
  session: Session,
  kind: Kind,
  prompt: string,
  options: Options,
): Promise<{ thread_id: string }> {
  const { runs } = await session.client();
  const fields = { ...given({ memory_id: await session.memoryId() }), ...objectOf(textOf(options, 'data')) };
  const start: Record<Kind, (client: Cairn['runs']) => Promise<{ thread_id: string }>> = {
    web: (client) => client.startWeb({ prompt, start: 'now', ...fields }),
    crawl: (client) => client.startCrawl({ prompt, start: 'now', ...fields }),
    people: (client) => client.startPeople({ prompt, ...fields }),
    companies: (client) => client.startCompanies({ prompt, ...fields }),
    research: (client) => client.startResearch({ query: prompt, ...fields }),
    'deep-search': (client) => client.startDeepSearch({ prompt, start: 'now', ...fields }),
  };
  return start[kind](runs);
}

async function followRun(session: Session, threadId: string): Promise<number> {
  const { runs } = await session.client();
  for await (const event of runs.events(threadId)) {
    if (session.flags.json === true) session.answer(JSON.stringify(event));
    else session.answer(`${event.at}  ${event.type}  ${clipped(oneLine(JSON.stringify(event.data)), DATA_MAX_CHARS)}`);
  }
  const { status, error } = await runs.status(threadId);
  if (error !== null) session.say(`The run failed: ${error.message}`);
  return status === 'completed' ? EXIT.done : EXIT.failed;
}

function objectOf(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same words serve both.
  }
  throw new UsageError('--data needs a JSON object.');
}
