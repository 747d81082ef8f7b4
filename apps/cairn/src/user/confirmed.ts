import { createInterface } from 'node:readline/promises';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';

/** Goes on only when the user says so: by `--yes`, or on a terminal by an answer. */
export async function confirmed({ streams }: Session, yes: boolean, question: string): Promise<void> {
  if (yes) return;
  if (!streams.stdin.isTTY) throw new UsageError('This cannot be undone; confirm it with --yes.');
  const asking = createInterface({ input: streams.stdin, output: streams.stderr });
  try {
    const said = await asking.question(`${question} [y/N] `);
    if (!/^y(?:es)?$/i.test(said.trim())) throw new UsageError('Nothing was done.');
  } finally {
    asking.close();
  }
}
