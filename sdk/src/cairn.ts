import { allCalls, type Call } from './core/calls.ts';
import { type DocumentsToWaitFor, waitForDocuments, type WaitOptions } from './core/documents.ts';
import { type EventsToFollow, followEvents, type TenantEvent } from './core/events.ts';
import { invoke } from './core/invoke.ts';
import { followRun, waitForRun } from './core/runs.ts';
import type { FollowOptions, RequestOptions } from './core/shapes.ts';
import { type ClientOptions, Transport } from './core/transport.ts';
import type { Resources } from './gen/resources.ts';
import type { Document, RunEvent, RunStatus } from './gen/schemas.ts';

interface DocumentHelpers {
  /** Waits until the documents are searchable or have failed. */
  wait(documents: DocumentsToWaitFor, options?: WaitOptions): Promise<Document[]>;
}

interface RunHelpers {
  /** Every event of a run, from the first one or after `after`. It reconnects by itself and ends with the run. */
  events(thread_id: string, options?: FollowOptions): AsyncIterableIterator<RunEvent>;
  /** How the run stands once it has ended. */
  wait(thread_id: string, options?: RequestOptions): Promise<RunStatus>;
}

interface EventHelpers {
  /** What happens, from now on or after `last_event_id`. It reconnects by itself, without gap or repeat, until the loop is left. */
  follow(params?: EventsToFollow, options?: RequestOptions): AsyncIterableIterator<TenantEvent>;
}

type Helpers = { documents: DocumentHelpers; runs: RunHelpers; events: EventHelpers };
type Surface = {
  readonly [Name in keyof Resources]: Name extends keyof Helpers ? Resources[Name] & Helpers[Name] : Resources[Name];
};

/**
 * A client of Cairn.
 *
 *     const cairn = new Cairn({ baseUrl, apiKey });
 *     const { answer, citations } = await cairn.search.query({ query: 'Who is on call?' });
 */
// The resources are made of the list of calls when a client is.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Cairn {
  private readonly transport: Transport;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
    Object.assign(this, surfaceOf(this.transport, {}));
  }

  /** The same client, whose calls mean this memory where they do not name another. */
  memory(memoryId: string): Surface {
    return surfaceOf(this.transport, { memory_id: memoryId });
  }

  /** A client of one memory by its own hostname, with its `mk_` key. */
  static forMemory({ host, ...options }: Omit<ClientOptions, 'baseUrl'> & { host: string }): Cairn {
    return new Cairn({ ...options, baseUrl: host.includes('://') ? host : `https://${host}` });
  }
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging, typescript/no-empty-object-type
export interface Cairn extends Surface {}

type Tree = { [name: string]: Tree | ((...args: unknown[]) => unknown) };

function surfaceOf(transport: Transport, defaults: Record<string, unknown>): Surface {
  const tree: Tree = {};
  for (const [name, call] of allCalls()) {
    const parts = name.split('.');
    const last = parts.pop()!;
    const at = parts.reduce<Tree>((branch, part) => (branch[part] ??= {}) as Tree, tree);
    at[last] = (...args) => withHandle(transport, call, invoke(transport, call, args, defaults));
  }
  const documents = tree['documents'] as Tree;
  documents['wait'] = (named, options = {}) =>
    waitForDocuments(transport, named as DocumentsToWaitFor, options as WaitOptions, defaults);
  const runs = tree['runs'] as Tree;
  runs['events'] = (threadId, options) => followRun(transport, threadId as string, options as FollowOptions);
  runs['wait'] = (threadId, options) => waitForRun(transport, threadId as string, options as RequestOptions);
  const events = tree['events'] as Tree;
  events['follow'] = (params, options) =>
    followEvents(transport, params as EventsToFollow, options as RequestOptions, defaults);
  return tree as unknown as Surface;
}

/** What started a run can also follow it; the handle is not part of what the API said. */
function withHandle(transport: Transport, call: Call, answer: unknown): unknown {
  if (!call.marks.has('run')) return answer;
  return (answer as Promise<{ thread_id: string }>).then((started) =>
    Object.defineProperties(started, {
      events: { value: (options?: FollowOptions) => followRun(transport, started.thread_id, options) },
      result: { value: (options?: RequestOptions) => waitForRun(transport, started.thread_id, options) },
    }),
  );
}
