import { agoText, timeText } from '../text/format.ts';

/** Local time; UTC when the pointer rests on it. */
export function Time({ at, ago = false }: { at: string; ago?: boolean }) {
  // How long ago something was depends on when it is looked at.
  // oxlint-disable-next-line react/purity
  const now = Date.now();
  return (
    <time dateTime={at} title={new Date(at).toISOString()}>
      {ago ? agoText(at, now) : timeText(at)}
    </time>
  );
}
