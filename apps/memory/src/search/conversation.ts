import { addTurn, type EncodedEvent, listTurns, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { refusalOf } from '@cairn/identity';
import { appendToOutbox } from '@cairn/postgres';
import { type DlpPolicy, maskText } from '@cairn/screening';
import type { Caller } from '../memories/resolve-memory.ts';
import { appendTurns, findThread, lastTurnRows, type TurnRow } from '../threads/thread-store.ts';
import type { SearchDeps } from './search-deps.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

/** Turns a question is read in the light of. */
const TURNS_READ_MAX = 8;

/** The thread a search belongs to. */
export interface Conversation {
  home: TargetMemory;
  threadId: string;
  /** What is masked of its turns. */
  dlpPolicy: DlpPolicy;
  /** Space the thread lies in. */
  spaceId: string | null;
  user: string | null;
  /** The last ones, oldest first. */
  turns: TurnRow[];
}

/** A search in a thread reads earlier turns and adds its own, so it needs whatever these operations need. */
export const CONVERSATION_OPERATIONS = [listTurns, addTurn] as const;

/**
 * Reads the thread that a search names. Throws `permission_denied` unless the caller may read and add turns, and
 * `not_found` and `memory_not_permitted` as for the thread itself.
 */
export async function openConversation(deps: SearchDeps, context: Caller, threadId: string): Promise<Conversation> {
  assertMayConverse(context.identity);
  const home = await deps.threads.locate(context, threadId);
  const { dlp_policy: dlpPolicy } = await deps.settings.read(home, false);
  return deps.engines.read(home, async ({ tx, closedVaults }) => {
    const thread = await findThread(tx, threadId);
    if (thread === null || closedVaults.has(thread.vault_id)) throw notFound('The thread');
    const turns = await lastTurnRows(tx, threadId, TURNS_READ_MAX);
    return { home, threadId, dlpPolicy, spaceId: thread.space_id, user: thread.user_name, turns };
  });
}

function assertMayConverse(identity: Caller['identity']): void {
  const refusal = refusalOf(identity, { operations: CONVERSATION_OPERATIONS });
  if (refusal === null || !('lacks' in refusal)) return;
  throw new CairnError('permission_denied', `The key lacks ${refusal.lacks.join(' and ')}.`);
}

/** Stores question and answer as turns, with the usage of the models that made the answer, in one transaction. */
export async function storeTurns(
  deps: SearchDeps,
  conversation: Conversation,
  said: { question: string; answer: string },
  usage: readonly EncodedEvent[],
): Promise<void> {
  const { dlpPolicy } = conversation;
  const question = await maskText(said.question, dlpPolicy);
  const answered = await maskText(said.answer, dlpPolicy);
  await deps.engines.write(conversation.home, async ({ tx }) => {
    const turns = await appendTurns(tx, conversation.threadId, [
      { turn_id: newId('turn'), role: 'user', content: question },
      { turn_id: newId('turn'), role: 'assistant', content: answered },
    ]);
    if (turns === null) throw notFound('The thread');
    for (const event of usage) await appendToOutbox(tx, event);
  });
}

/**
 * Stores the usage of a search that belongs to no thread, or that was broken off; beside the memory when that was closed
 * meanwhile, for what was used is owed.
 */
export async function storeUsage(
  deps: SearchDeps,
  target: TargetMemory,
  usage: readonly EncodedEvent[],
): Promise<void> {
  if (usage.length === 0) return;
  try {
    await deps.engines.write(target, async ({ tx }) => {
      for (const event of usage) await appendToOutbox(tx, event);
    });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    for (const event of usage) await deps.meter(event);
  }
}
