import { Script } from 'node:vm';
import { check, type Diagnostics } from 'recheck';

/** How a pattern behaves on the worst text for it; `by` says whether that was proved or searched for. */
export type Judgement =
  | { kind: 'linear'; by: 'automaton' | 'fuzz' }
  | { kind: 'superlinear'; complexity: string; attack: Attack }
  | { kind: 'unknown'; reason: string };

interface Attack {
  pumps: { prefix: string; pump: string }[];
  suffix: string;
}

/** Changes whenever a judgement could come out differently. */
export const CHECKER = 'recheck 4.5.0, repeats 300, 20 s';

// The first asks for a proof even where a repetition is bounded high; where the automaton grows too large for that,
// the second searches for an attack instead.
const ATTEMPTS = [
  { timeout: 20_000, maxRepeatCount: 300, maxPatternSize: 20_000, randomSeed: 1 },
  { timeout: 240_000, checker: 'fuzz' as const, randomSeed: 1 },
];
/** Far above what linear work takes on a busy machine, at the length of an annotation and at that of a replay. */
const BOUNDED_TIMEOUT_MS = 1_000;
const REPLAY_TIMEOUT_MS = 5_000;
/** Work of degree two takes at least four times the replay's time-out at this length. */
const REPLAY_CHARS = 200_000;

export async function judgePattern(source: string, flags: string): Promise<Judgement> {
  let reason = '';
  for (const attempt of ATTEMPTS) {
    // Neither indices nor set notation, of which the product uses none, change how a match is searched for.
    const diagnostics = await check(source, flags.replace('d', ''), attempt);
    if (diagnostics.status !== 'unknown') return judgementOf(source, flags, diagnostics);
    reason = diagnostics.error.kind;
  }
  return { kind: 'unknown', reason };
}

function judgementOf(
  source: string,
  flags: string,
  diagnostics: Exclude<Diagnostics, { status: 'unknown' }>,
): Judgement {
  const by = diagnostics.checker === 'automaton' ? 'automaton' : 'fuzz';
  if (diagnostics.status === 'safe') return { kind: 'linear', by };
  const pumps = diagnostics.attack.pumps.map(({ prefix, pump }) => ({ prefix, pump }));
  const attack = { pumps, suffix: diagnostics.attack.suffix };
  // What was searched for is judged by a count of steps, which a high bound of a repetition exceeds, too: an attack
  // counts when it takes long at a length that only grows along with the square leaves no doubt about.
  if (by === 'fuzz' && matchesInTime(source, flags, attack, REPLAY_CHARS, REPLAY_TIMEOUT_MS))
    return { kind: 'linear', by };
  return { kind: 'superlinear', complexity: diagnostics.complexity.summary, attack };
}

/** Whether the worst text that fits the bound is matched in no noticeable time. */
export function matchesInTime(
  source: string,
  flags: string,
  attack: Attack,
  maxChars: number,
  timeoutMs = BOUNDED_TIMEOUT_MS,
): boolean {
  const text = attackOf(attack, maxChars);
  const run = new Script(
    `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)})[Symbol.replace](${JSON.stringify(text)}, '')`,
  );
  try {
    run.runInNewContext({}, { timeout: timeoutMs });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

/** The attack with its repetitions made as many as fit. */
function attackOf({ pumps, suffix }: Attack, maxChars: number): string {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const round = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.max(1, Math.floor((maxChars - fixed) / Math.max(1, round)));
  return `${pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('')}${suffix}`.slice(0, maxChars);
}
