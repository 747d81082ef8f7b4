import { AuthenticationError } from '@cairn/sdk';
import { useSyncExternalStore } from 'react';

type Listener = () => void;

/** Whether the API said that there is no session any more; every query may find that out. */
let signedOut = false;
const listeners = new Set<Listener>();

export function setSignedOut(value: boolean): void {
  if (signedOut === value) return;
  signedOut = value;
  for (const listener of listeners) listener();
}

/** For what went wrong with a request: it may be that the session has ended. */
export function handleSignedOut(error: unknown): void {
  if (error instanceof AuthenticationError) setSignedOut(true);
}

export function useSignedOut(): boolean {
  return useSyncExternalStore(onSignedOut, isSignedOut);
}

function isSignedOut(): boolean {
  return signedOut;
}

function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
