import { type addTurn, type listTurns, newId } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { idempotent, nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findHome, type ThreadParts } from './find-home.ts';
import { presentTurn } from './present-thread.ts';
import { appendTurns, findThread, listTurnRows, type ThreadRow } from './thread-store.ts';

/** Adds a turn at the end of a conversation. */
export async function takeTurn(parts: ThreadParts, call: Call<typeof addTurn>): Promise<JsonAnswer<typeof addTurn>> {
  const threadId = call.params.thread_id;
  const home = await findHome(parts, call, threadId);
  const content = await maskText(call.body.content, home.dlpPolicy);
  const request = { ...call.body, thread_id: threadId };
  const answer = await parts.engines.write(home, ({ tx, closedVaults }) =>
    idempotent(
      tx,
      { caller: call.identity, operation: 'addTurn', key: call.idempotencyKey, request, memoryId: home.memoryId },
      async () => {
        await openThread(tx, threadId, closedVaults);
        const turns = await appendTurns(tx, threadId, [{ turn_id: newId('turn'), ...call.body, content }]);
        if (turns === null) throw notFound('The thread');
        return { status: 201, body: presentTurn(turns[0]!) };
      },
    ),
  );
  return answer as JsonAnswer<typeof addTurn>;
}

/** The turns of a conversation, oldest first; a page's cursor is the number of its last turn. */
export async function listThreadTurns(
  parts: ThreadParts,
  call: Call<typeof listTurns>,
): Promise<JsonAnswer<typeof listTurns>> {
  const threadId = call.params.thread_id;
  const { cursor } = call.query;
  const page = pageOf(call.query);
  const home = await findHome(parts, call, threadId);
  const rows = await parts.engines.read(home, async ({ tx, closedVaults }) => {
    await openThread(tx, threadId, closedVaults);
    return listTurnRows(tx, threadId, { after: Number(cursor ?? 0), fetch: page.fetch });
  });
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => String(row.ordinal));
  return { body: { turns: shown.map(presentTurn), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

async function openThread(tx: Tx, threadId: string, closedVaults: ReadonlySet<string>): Promise<ThreadRow> {
  const thread = await findThread(tx, threadId);
  if (thread === null || closedVaults.has(thread.vault_id)) throw notFound('The thread');
  return thread;
}
