import { findCards } from './cards.ts';
import type { FindingKind } from './finding.ts';
import { findIbans } from './ibans.ts';
import { KNOWN_SECRETS } from './known-secrets.ts';
import { isPlaceholder } from './value-shapes.ts';

/** Whatever is found here holds a run of these characters, or many digits; texts without one are let through at once. */
const MAY_HOLD = /[A-Za-z0-9_\-+/=.~]{16}|\d(?:[ .\-/·]{0,3}\d){11}|[A-Z]{2}\d{2}[ .-]|-----BEGIN|:\/\//;
/** Cards of the large makers, at their exact lengths: longer numbers are identifiers. */
const CARD = /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/;

/**
 * What unmistakable credential a short text holds, in words that go on after "contains"; null when it holds none. Cheap
 * enough for every field of every request, and without the detectors that may err.
 */
export function credentialIn(text: string): string | null {
  if (!MAY_HOLD.test(text)) return null;
  for (const [kind, pattern] of KNOWN_SECRETS) {
    // The patterns are global and would go on where they ended.
    const found = text.match(pattern)?.some((match) => !isPlaceholder(match) && isUnmistakable(kind, match)) ?? false;
    if (found) return WORDS.get(kind) ?? 'a credential';
  }
  if (findCards(text).some(({ start, end }) => CARD.test(text.slice(start, end).replace(/\D/g, ''))))
    return 'the number of a payment card';
  return findIbans(text).length > 0 ? 'the number of a bank account (IBAN)' : null;
}

/** Words joined by hyphens and addresses of other schemes have the form of a credential and are ordinary names. */
function isUnmistakable(kind: FindingKind, found: string): boolean {
  if (kind === 'connection_string') {
    const [, scheme = '', password = ''] = ADDRESS.exec(found) ?? [];
    return KNOWN_SCHEME.test(scheme) || (password.length >= 6 && /\d/.test(password));
  }
  if (kind !== 'api_key' && kind !== 'token') return true;
  return found.split(/[-_.~+/=]/).some((run) => run.length >= (/\d/.test(run) ? RUN_MIN_CHARS : LETTERS_MIN_CHARS));
}

const ADDRESS = /^([^:]+):\/\/[^:]*:([^@]*)@/;
const KNOWN_SCHEME = /^(?:https?|s?ftps?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|nats|tls)$/i;
/** The shortest part of a key that is drawn by lot. */
const RUN_MIN_CHARS = 10;
const LETTERS_MIN_CHARS = 20;

const WORDS: ReadonlyMap<FindingKind, string> = new Map([
  ['private_key', 'a private key'],
  ['connection_string', 'an address with a password'],
  ['token', 'an access token'],
  ['api_key', 'an API key'],
]);
