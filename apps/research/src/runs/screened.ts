import { type DlpPolicy, maskText, maskTexts, policyOf } from '@cairn/screening';
import { sendMessage } from '@cairn/ledger';
import type { Tx } from '@cairn/postgres';
import type { Wanted } from './start-run.ts';

/** What is to be started, with every text of the caller masked as the memory's policy says. */
export async function screenedWanted(wanted: Wanted, policy: DlpPolicy): Promise<Wanted> {
  const texts: string[] = [];
  const put = (text: string) => texts.push(text) - 1;
  const prompt = put(wanted.prompt);
  const user = wanted.user === undefined ? null : put(wanted.user);
  const list = wanted.list === null ? null : { name: put(wanted.list.name), description: put(wanted.list.description) };
  const options = putOptions(wanted.options, put);
  const { segments } = await maskTexts(texts, policy);
  return {
    ...wanted,
    prompt: segments[prompt]!,
    user: user === null ? undefined : segments[user]!,
    list:
      wanted.list === null || list === null
        ? null
        : { ...wanted.list, name: segments[list.name]!, description: segments[list.description]! },
    options: options((place) => segments[place]!),
  };
}

type Read<Value> = (textAt: (place: number) => string) => Value;

/** Addresses to begin at and other words among the options; what is neither text nor a list of texts stays. */
function putOptions(options: Wanted['options'], put: (text: string) => number): Read<Wanted['options']> {
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

/** The policy of a run's memory as it was when the run was started; of a run that does not say, the strictest. */
export function policyOfRun(run: { input: Record<string, unknown> }): DlpPolicy {
  const target = run.input['target'] as { dlpPolicy?: string } | undefined;
  return policyOf(target?.dlpPolicy ?? '');
}

/** Keeps the answer to a run's question, masked. */
export async function keepAnswer(
  tx: Tx,
  run: { input: Record<string, unknown> } | null,
  message: { threadId: string; questionId: string; answer: string },
): Promise<boolean> {
  const policy = run === null ? 'pii' : policyOfRun(run);
  return sendMessage(tx, message.threadId, message.questionId, { answer: await maskText(message.answer, policy) });
}
