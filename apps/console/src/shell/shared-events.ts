import { cairn } from '../app/client.ts';
import { environmentOfTab } from '../app/environment.ts';

/**
 * Reports the types of the tenant's events until the signal. A browser holds six connections to a host for all of its
 * pages together, so one page of each environment follows the stream and informs others; when it is closed, the next
 * one goes on.
 */
export function followTogether(tell: (type: string) => void, signal: AbortSignal): void {
  // Only a page that was loaded safely can agree with others; another one follows the stream by itself.
  if (!isSecureContext) return void follow(tell, signal).catch(() => undefined);
  // Pages of the other environment have a session of their own, and see other events.
  const name = `cairn-events-${environmentOfTab()}`;
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  const lead = () =>
    follow((type) => {
      tell(type);
      // A channel has no origin to aim at: it reaches pages of this origin alone.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      if (!signal.aborted) channel.postMessage(type);
    }, signal);
  let isInLine = false;
  const standInLine = () => {
    if (isInLine || signal.aborted) return;
    isInLine = true;
    // Whatever ends it, the screens still ask when they are opened, and while something is unsettled.
    void navigator.locks
      .request(name, { signal }, lead)
      .catch(() => undefined)
      .finally(() => {
        isInLine = false;
      });
  };
  channel.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') tell(data);
    // The stream of this page may have ended with the session, and another's goes on because somebody signed in there.
    standInLine();
  });
  standInLine();
}

async function follow(tell: (type: string) => void, signal: AbortSignal): Promise<void> {
  for await (const { type } of cairn.events.follow({}, { signal })) tell(type);
}
