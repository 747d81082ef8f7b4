import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSignedOut } from '../app/signed-out.ts';
import { followTogether } from './shared-events.ts';
import { queriesAffectedBy } from './affected-queries.ts';

/** A document makes hundreds of events at once; the screen asks once for all of them. */
const GATHERED_MS = 1_000;

/** What happens in the tenant makes data on the screen old; an installation without the stream is asked as before. */
export function useLiveData(scopes: readonly string[]): void {
  const client = useQueryClient();
  const may = scopes.includes('documents:read') || scopes.includes('graph:read');
  // The stream ends with the session, and is opened again when somebody has signed in over the page.
  const follows = !useSignedOut() && may;
  useEffect(() => {
    if (!follows) return undefined;
    const leave = new AbortController();
    const old = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      for (const name of old) void client.invalidateQueries({ queryKey: [name] });
      old.clear();
    };
    followTogether((type) => {
      for (const name of queriesAffectedBy(type)) old.add(name);
      if (old.size > 0) timer ??= setTimeout(refresh, GATHERED_MS);
    }, leave.signal);
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [follows, client]);
}
