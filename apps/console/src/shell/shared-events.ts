import { cairn } from '../app/client.ts';

const NAME = 'cairn-events';

/**
 * Tells of the types of the tenant's events until the signal. A browser holds six connections to a host for all of its
 * pages together, so one page follows the stream and tells the others; when it is closed, the next one goes on.
 */
export function followTogether(tell: (type: string) => void, signal: AbortSignal): void {
  // Only a page that was loaded safely can agree with others; another one follows the stream by itself.
  if (!isSecureContext) return void follow(tell, signal).catch(() => undefined);
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') tell(data);
  });
  signal.addEventListener('abort', () => channel.close(), { once: true });
  const lead = () =>
    follow((type) => {
      tell(type);
      // A channel has no origin to aim at: it reaches pages of this origin alone.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      if (!signal.aborted) channel.postMessage(type);
    }, signal);
  // Whatever ends it, the screens still ask when they are opened, and while something is unsettled.
  navigator.locks.request(NAME, { signal }, lead).catch(() => undefined);
}

async function follow(tell: (type: string) => void, signal: AbortSignal): Promise<void> {
  for await (const { type } of cairn.events.follow({}, { signal })) tell(type);
}
