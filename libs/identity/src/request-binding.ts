import { createHmac, type Hmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Header that binds an identity token to the one request with which it was sent. */
export const BINDING_HEADER = 'x-cairn-binding';
/** How long after it was sent a request may still arrive, and how far clocks may differ. */
const BINDING_MAX_AGE_MS = 5_000;

const NONCES_MAX = 200_000;
const FORM = /^(\d{1,15})\.([\w-]{1,40})\.([\w-]{43})$/;

/** A request as it is on the wire, without its body. */
export interface RequestHead {
  method: string;
  /** Path and query. */
  target: string;
  /** The identity token that it carries. */
  token: string;
}

/** Value of the header for a request that is sent now; another one each time. */
export type RequestBinder = (request: RequestHead) => string;

/** `key`: shared by gateways and the one service that requests are bound for. */
export function createRequestBinder(key: KeyObject, nowMs: () => number = Date.now): RequestBinder {
  const processNonce = randomBytes(9).toString('base64url');
  let sent = 0;
  return (request) => {
    sent += 1;
    const stamp = `${nowMs()}.${processNonce}-${sent.toString(36)}`;
    return `${stamp}.${macOf(key, stamp, request).digest('base64url')}`;
  };
}

/** `expired`: the binding is authentic but too old. `busy`: more nonces arrive than can be remembered. */
type BindingCheck = 'ok' | 'invalid' | 'expired' | 'busy';

export interface BindingVerifier {
  /** `ok` once for each binding. */
  check(binding: string | undefined, request: RequestHead): BindingCheck;
}

export function createBindingVerifier(
  keys: readonly KeyObject[],
  nowMs: () => number = Date.now,
  noncesMax = NONCES_MAX,
): BindingVerifier {
  const nonces = createNonceSet(2 * BINDING_MAX_AGE_MS, noncesMax);
  return {
    check(binding, request) {
      const match = binding === undefined ? null : FORM.exec(binding);
      if (match === null) return 'invalid';
      const [, sentAt = '', nonce = '', mac = ''] = match;
      const sentMac = Buffer.from(mac, 'base64url');
      const stamp = `${sentAt}.${nonce}`;
      if (!keys.some((key) => timingSafeEqual(sentMac, macOf(key, stamp, request).digest()))) return 'invalid';
      const now = nowMs();
      if (Math.abs(now - Number(sentAt)) > BINDING_MAX_AGE_MS) return 'expired';
      return nonces.remember(nonce, now);
    },
  };
}

/** The signature of the token represents all of it, and is an eighth of its length. */
function macOf(key: KeyObject, stamp: string, { method, target, token }: RequestHead): Hmac {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  // None of them holds a line break: they are a method, a target and base64url from the head of a request.
  return createHmac('sha256', key).update(`${stamp}\n${method}\n${target}\n${signature}`);
}

/** Remembers each nonce for `retentionMs` to twice that, in two generations, so that none has to be expired one by one. */
function createNonceSet(retentionMs: number, max: number) {
  let current = new Set<string>();
  let before = new Set<string>();
  let rotatedAtMs = 0;
  return {
    remember(nonce: string, nowMs: number): 'ok' | 'invalid' | 'busy' {
      // A clock that was set back rotates the generations as well, or they would be kept for as long as it was set
      // back.
      if (Math.abs(nowMs - rotatedAtMs) >= retentionMs) {
        before = current;
        current = new Set();
        rotatedAtMs = nowMs;
      }
      if (current.has(nonce) || before.has(nonce)) return 'invalid';
      if (current.size >= max) return 'busy';
      current.add(nonce);
      return 'ok';
    },
  };
}
