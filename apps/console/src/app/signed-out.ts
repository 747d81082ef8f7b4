type Listener = () => void;

/** Whether the API said that there is no session any more; every query may find that out. */
let signedOut = false;
const listeners = new Set<Listener>();

export function setSignedOut(value: boolean): void {
  if (signedOut === value) return;
  signedOut = value;
  for (const listener of listeners) listener();
}

export function isSignedOut(): boolean {
  return signedOut;
}

export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
