import { wordsOf } from '../text/format.ts';

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

const TONES: Record<string, Tone> = {
  completed: 'good',
  delivered: 'good',
  ready: 'good',
  active: 'good',
  available: 'good',
  resolved: 'good',
  failed: 'bad',
  failing: 'bad',
  expired: 'bad',
  dead_lettered: 'bad',
  open: 'warn',
  cancelled: 'warn',
  awaiting_clarification: 'warn',
  awaiting_connection: 'warn',
  needs_review: 'warn',
  inactive: 'quiet',
  revoked: 'quiet',
  no_key: 'quiet',
};

/** A state of the API as its words, with a colour that means the same everywhere. */
export function Chip({ state, tone }: { state: string; tone?: Tone }) {
  return <span className={`chip ${tone ?? TONES[state] ?? ''}`}>{wordsOf(state)}</span>;
}
