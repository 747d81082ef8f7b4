import { openSession } from '../app/open-session.ts';
import { words } from '../words/shell.ts';
import { openWithSignIn, pageToReturnTo } from './single-sign-on.ts';

/** What the address that the browser came by asks of the page, before any screen is shown. */
export interface StartAddress {
  /** The secret of an invitation to accept. */
  invitation: string | null;
  /** Why the address did not sign in; null when it did, or asked for nothing. */
  problem: unknown;
}

const GIVEN = /^#(ticket|invitation)=([A-Za-z0-9_-]{8,200})$/;

/** Reads the address, takes what is secret out of it, and signs in where it says how. */
export async function readStartAddress(): Promise<StartAddress> {
  const [, kind, secret = ''] = GIVEN.exec(location.hash) ?? [];
  const answered = location.pathname === '/console/sign-in' ? new URLSearchParams(location.search) : null;
  if (kind !== undefined) history.replaceState(null, '', location.pathname + location.search);
  if (answered !== null) history.replaceState(null, '', pageToReturnTo());
  try {
    if (kind === 'ticket') await openSession({ ticket: secret }).catch(refuseTicket);
    if (answered !== null) await openWithSignIn(answered);
  } catch (problem) {
    return { invitation: null, problem };
  }
  return { invitation: kind === 'invitation' ? secret : null, problem: null };
}

function refuseTicket(cause: unknown): never {
  throw new Error(words.ticketFailed, { cause });
}
