import type * as operations from '@cairn/contracts';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import type { TargetMemory } from '../memories/memory-scope.ts';
import type { ThreadDeps } from '../threads/locate-thread.ts';
import { presentThread, presentTurn } from '../threads/present-thread.ts';
import { listThreadRows, listTurnRows } from '../threads/thread-store.ts';
import { download, type Line } from './write-lines.ts';

const THREADS_PER_PAGE = 200;
/** A turn has at most 100,000 characters. */
const TURNS_PER_PAGE = 50;

/** Every conversation of a memory that the caller sees, with its turns. */
export async function exportThreads(
  deps: ThreadDeps,
  context: RequestContext<typeof operations.exportThreads>,
): Promise<FileResponse> {
  const memory = await deps.memories.resolve(context, { memory_id: context.query.memory_id });
  return download(`threads-${memory.memoryId}`, threadLines(deps, memory));
}

async function* threadLines(deps: ThreadDeps, memory: TargetMemory): AsyncGenerator<Line[]> {
  const view = { memoryId: memory.memoryId, spaceId: memory.spaceId };
  for (let after = ''; ;) {
    const from = after;
    const threads = await deps.engines.read(memory, ({ tx }) =>
      listThreadRows(tx, { ...view, after: from, fetch: THREADS_PER_PAGE }),
    );
    for (const thread of threads) {
      yield [{ type: 'thread', thread: presentThread(thread) }];
      yield* turnLines(deps, memory, thread.thread_id);
    }
    if (threads.length < THREADS_PER_PAGE) return;
    after = threads.at(-1)!.thread_id;
  }
}

async function* turnLines(deps: ThreadDeps, memory: TargetMemory, threadId: string): AsyncGenerator<Line[]> {
  for (let after = 0; ;) {
    const from = after;
    const turns = await deps.engines.read(memory, ({ tx }) =>
      listTurnRows(tx, threadId, { after: from, fetch: TURNS_PER_PAGE }),
    );
    yield turns.map((turn) => ({ type: 'turn', turn: presentTurn(turn) }));
    if (turns.length < TURNS_PER_PAGE) return;
    after = turns.at(-1)!.ordinal;
  }
}
