interface Upload {
  name: string;
  send: () => Promise<unknown>;
}

interface Uploads {
  /** Files that wait, with the one that is being sent. */
  left: number;
  taken: number;
  refused: readonly { name: string; error: unknown }[];
}

export const NO_UPLOADS: Uploads = { left: 0, taken: 0, refused: [] };

/**
 * Sends files one after the other; one that is refused does not hold up the others. Those that come meanwhile wait
 * behind them and are shown together with them; only once all are sent do the next ones begin from nothing.
 */
export function uploadQueue(show: (uploads: Uploads) => void): (added: readonly Upload[]) => Promise<void> {
  const waiting: Upload[] = [];
  let shown = NO_UPLOADS;
  let sending: Promise<void> | null = null;
  const tell = (change: Partial<Uploads>) => {
    shown = { ...shown, ...change, left: waiting.length };
    show(shown);
  };
  const sendAll = async () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      let change: Partial<Uploads>;
      try {
        await next.send();
        change = { taken: shown.taken + 1 };
      } catch (error) {
        change = { refused: [...shown.refused, { name: next.name, error }] };
      }
      waiting.shift();
      tell(change);
    }
  };
  return async (added) => {
    if (added.length === 0) return;
    waiting.push(...added);
    tell(sending === null ? NO_UPLOADS : {});
    sending ??= sendAll().finally(() => {
      sending = null;
    });
    await sending;
  };
}
