import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endSession } from '../app/end-session.ts';

/** Ends the session, and leaves nothing of it on the screen. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: endSession,
    onSuccess: () => {
      client.clear();
      location.assign('/console/');
    },
  });
}
