import type * as operations from '@cairn/contracts';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import type { TargetMemory } from '../memories/memory-scope.ts';
import { reaches } from '../memories/visibility.ts';
import type { ThreadDeps } from '../threads/locate-thread.ts';
import { presentThread, presentTurn } from '../threads/present-thread.ts';
import { findThread, listThreadRows, listTurnRows } from '../threads/thread-store.ts';
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
    const ids = threads.map((thread) => thread.thread_id);
    for (const threadId of ids) yield* linesOfThread(deps, memory, threadId);
    if (ids.length < THREADS_PER_PAGE) return;
    after = ids.at(-1)!;
  }
}

/** A thread and its turns; nothing more of one that was deleted, or whose space was, since it was listed. */
async function* linesOfThread(deps: ThreadDeps, memory: TargetMemory, threadId: string): AsyncGenerator<Line[]> {
  for (let after = 0; ;) {
    const from = after;
    const page = await deps.engines.read(memory, async ({ tx, closedVaults }) => {
      const thread = await findThread(tx, threadId);
      if (thread === null || !reaches(memory, closedVaults, thread.vault_id)) return null;
      return { thread, turns: await listTurnRows(tx, threadId, { after: from, fetch: TURNS_PER_PAGE }) };
    });
    if (page === null) return;
    const { thread, turns } = page;
    if (from === 0) yield [{ type: 'thread', thread: presentThread(thread) }];
    yield turns.map((turn) => ({ type: 'turn', turn: presentTurn(turn) }));
    if (turns.length < TURNS_PER_PAGE) return;
    after = turns.at(-1)!.ordinal;
  }
}
