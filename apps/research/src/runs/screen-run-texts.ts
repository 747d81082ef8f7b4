import { type DlpPolicy, maskText, maskTexts, policyOf } from '@cairn/screening';
import { sendMessage } from '../ledger/run-store.ts';
import type { Tx } from '@cairn/postgres';
import type { RunRequest } from './run-request.ts';

/** Masks every text of the caller by the memory's DLP policy. */
export async function screenRunTexts(run: RunRequest, policy: DlpPolicy): Promise<RunRequest> {
  const texts: string[] = [];
  const put = (text: string) => texts.push(text) - 1;
  const prompt = put(run.prompt);
  const user = run.user === undefined ? null : put(run.user);
  const list = run.list === null ? null : { name: put(run.list.name), description: put(run.list.description) };
  const options = putOptions(run.options, put);
  const { segments } = await maskTexts(texts, policy);
  return {
    ...run,
    prompt: segments[prompt]!,
    user: user === null ? undefined : segments[user]!,
    list:
      run.list === null || list === null
        ? null
        : { ...run.list, name: segments[list.name]!, description: segments[list.description]! },
    options: options((place) => segments[place]!),
  };
}

type Read<Value> = (textAt: (place: number) => string) => Value;

/** Masks seed URLs and other texts among the options; values that are neither texts nor lists of texts stay. */
function putOptions(options: RunRequest['options'], put: (text: string) => number): Read<RunRequest['options']> {
  const entries = Object.entries(options).map(([name, value]): [string, Read<unknown>] => {
    if (typeof value === 'string') {
      const place = put(value);
      return [name, (textAt) => textAt(place)];
    }
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
      const places = value.map((each) => put(each));
      return [name, (textAt) => places.map(textAt)];
    }
    return [name, () => value];
  });
  return (textAt) => Object.fromEntries(entries.map(([name, read]) => [name, read(textAt)]));
}

/** The DLP policy of the run's memory when the run was started; the strictest when it is unknown. */
export function policyOfRun(run: { input: Record<string, unknown> }): DlpPolicy {
  const target = run.input['target'] as { dlpPolicy?: string } | undefined;
  return policyOf(target?.dlpPolicy ?? '');
}

/** Stores the masked answer to a run's question. Returns false when it was answered before. */
export async function storeAnswer(
  tx: Tx,
  run: { input: Record<string, unknown> } | null,
  message: { threadId: string; questionId: string; answer: string },
): Promise<boolean> {
  const policy = run === null ? 'pii' : policyOfRun(run);
  return sendMessage(tx, message.threadId, message.questionId, { answer: await maskText(message.answer, policy) });
}
