import { addTurn, type EncodedEvent, listTurns, newId } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { refusalOf } from '@cairn/identity';
import { appendToOutbox } from '@cairn/postgres';
import { maskText } from '@cairn/screening';
import type { Asking, TargetMemory } from '../memory-lookup.ts';
import { findHome } from '../threads/find-home.ts';
import { appendTurns, findThread, lastTurnRows, type TurnRow } from '../threads/thread-store.ts';
import type { SearchParts } from './search-parts.ts';

/** Turns a question is read in the light of. */
const TURNS_READ_MAX = 8;

/** The thread a search belongs to. */
export interface Conversation {
  home: TargetMemory;
  threadId: string;
  /** Space the thread lies in. */
  spaceId: string | null;
  user: string | null;
  /** The last ones, oldest first. */
  turns: TurnRow[];
}

/** A search in a thread reads earlier turns and adds its own, so it needs whatever these operations need. */
export const CONVERSING = [listTurns, addTurn] as const;

/**
 * Reads the thread that a search names. Throws `permission_denied` unless the caller may read and add turns, and
 * `not_found` and `memory_not_permitted` as for the thread itself.
 */
export async function openConversation(parts: SearchParts, call: Asking, threadId: string): Promise<Conversation> {
  assertMayConverse(call.identity);
  const home = await findHome(parts, call, threadId);
  return parts.engines.read(home, async ({ tx, closedVaults }) => {
    const thread = await findThread(tx, threadId);
    if (thread === null || closedVaults.has(thread.vault_id)) throw notFound('The thread');
    const turns = await lastTurnRows(tx, threadId, TURNS_READ_MAX);
    return { home, threadId, spaceId: thread.space_id, user: thread.user_name, turns };
  });
}

function assertMayConverse(identity: Asking['identity']): void {
  const refusal = refusalOf(identity, { operations: CONVERSING });
  if (refusal === null || !('lacks' in refusal)) return;
  throw new CairnError('permission_denied', `The key lacks ${refusal.lacks.join(' and ')}.`);
}

/** Keeps question and answer as turns, with the usage of the models that made the answer, in one transaction. */
export async function keepTurns(
  parts: SearchParts,
  conversation: Conversation,
  said: { question: string; answer: string },
  usage: readonly EncodedEvent[],
): Promise<void> {
  const { dlpPolicy } = conversation.home;
  const question = await maskText(said.question, dlpPolicy);
  const answered = await maskText(said.answer, dlpPolicy);
  await parts.engines.write(conversation.home, async ({ tx }) => {
    const turns = await appendTurns(tx, conversation.threadId, [
      { turn_id: newId('turn'), role: 'user', content: question },
      { turn_id: newId('turn'), role: 'assistant', content: answered },
    ]);
    if (turns === null) throw notFound('The thread');
    for (const event of usage) await appendToOutbox(tx, event);
  });
}

/**
 * Keeps the usage of a search that belongs to no thread, or that was broken off; beside the memory when that was closed
 * meanwhile, for what was used is owed.
 */
export async function keepUsage(
  parts: SearchParts,
  target: TargetMemory,
  usage: readonly EncodedEvent[],
): Promise<void> {
  if (usage.length === 0) return;
  try {
    await parts.engines.write(target, async ({ tx }) => {
      for (const event of usage) await appendToOutbox(tx, event);
    });
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    for (const event of usage) await parts.meter(event);
  }
}
