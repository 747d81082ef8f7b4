import { EUROPEAN_FUNCTION_WORDS } from '@cairn/language';
import { isSecretName } from './secret-names.ts';

/** Examples and templates: one character over and over, brackets of a template, words that say so. */
export function isPlaceholder(value: string): boolean {
  return (
    /(.)\1{7,}|…/.test(value) ||
    /^(?:<.*>|\$\{.*\}|\{\{.*\}\}|%.*%|\*+|\.+|[•●]+|-+|\?+|_+)$/.test(value) ||
    /^(?:(?:your|example|placeholder)(?:[_-].*)?|my|the|changeme|redacted|required|none|null|undefined|true|false)$/i.test(
      value,
    ) ||
    value.startsWith('[[')
  );
}

/** Words that stand where a value would, in schemas and tables about fields. */
export function isNoValue(value: string): boolean {
  return (
    isPlaceholder(value) ||
    // A name alone: with digits, hyphens or other signs in it, it is a password that is made of the word.
    (/^[\p{L}_.\s]+$/u.test(value) && isSecretName(value)) ||
    /^(?:string|number|integer|boolean|any|void|optional|yes|no|on|off|n\/a|n\.a\.|tbd|unknown|hidden|masked|encrypted|hashed|expired|revoked|empty|str|text|varchar\S*)$/i.test(
      value,
    )
  );
}

/** Digits among letters, or signs: no word. */
export function looksRandom(value: string): boolean {
  return value.length >= 4 && (/\d/.test(value) || /[^\p{L}\p{N}.'’-]/u.test(value.slice(1, -1)));
}

const LITERAL_MIN_CHARS = 4;
const LITERAL_MAX_CHARS = 128;
/** Forms that have digits or signs and are known for something else. */
const KNOWN_FORMS: readonly RegExp[] = [
  /^[a-z][a-z0-9+.-]{1,20}:\/\//i,
  /^www\./i,
  /^[^\s@]{1,64}@[^\s@]{1,64}\.[a-z]{2,20}$/i,
  /^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}\.\p{L}{2,10}$/u, // A host or a file.
  /^\.{0,2}\/[\w./-]{0,200}$/,
  /^v?\d{1,9}(?:[.,:/-]\d{1,9}){0,6}[a-z%]?$/i, // Numbers, dates, times, versions.
  /^\d{1,6}(?:[.,]\d{1,6})?-?(?:\p{L}{1,3}|-\p{L}{1,30})$/u,
  /^\d{1,6}-\p{L}{2,30}(?:-\p{L}{2,30}){0,3}$/u,
  /^[$€£¥#§]\d/,
  /^\d{4}-\d{2}-\d{2}T/,
  /^\p{L}{1,4}&\p{L}{1,4}$/u,
  /^[$%@#&<{(]/,
  /[(){}<>]/,
];
/** Names of standards, algorithms and tickets: `RS256`, `SHA-256`, `OAuth2`, `HELP-4821`. */
const CODE_NAME = /^(?:[A-Z]{1,8}[-_.]?\d{1,6}|[A-Za-z]{1,3}[A-Z][A-Za-z]{1,12}\d{1,2}|\p{Lu}?\p{Ll}{1,12}\d)$/u;

/** What compounds are made of: a word, a number, or a short code such as `B12`, `v2` and `24h`. */
const WORD_PART = /^(?:\p{L}{1,40}|\d{1,9}|\p{L}{1,4}\d{1,4}|\d{1,4}\p{L}{1,2})$/u;

/** True for a single run of characters that is no word, number, date, address or path: something drawn by lot. */
export function isLiteral(value: string): boolean {
  if (value.length < LITERAL_MIN_CHARS || value.length > LITERAL_MAX_CHARS || /\s/.test(value)) return false;
  if (isNoValue(value) || KNOWN_FORMS.some((form) => form.test(value))) return false;
  const [letters, digits] = [/\p{L}/u.test(value), /\d/.test(value)];
  const signs = /[!@#$%^&*+=?~|\\<>;]/.test(value.slice(1));
  return (letters && (digits || signs)) || (digits && signs);
}

/** Like `isLiteral`, for names that mean other things as well: long or with signs, and no name of a standard. */
export function isKeyLike(value: string): boolean {
  if (!isLiteral(value) || CODE_NAME.test(value)) return false;
  if (value.split(/[-./+:&]/).every((part) => WORD_PART.test(part))) return false;
  return (value.length >= 8 && /\d/.test(value)) || /[!@#$%^&*+=?~|\\;]/.test(value.slice(1));
}

/** How much a name says of its value: that it is a secret, or that it is one if it looks like one. */
export type NameStrength = 'certain' | 'likely' | 'possible';

/** True for a value that is a secret under a name of the strength. */
export function isSecretUnder(strength: NameStrength, value: string): boolean {
  if (value.length < 3 || isNoValue(value) || isNoValue(value.replace(/[.!?]$/, ''))) return false;
  if (/\s/.test(value))
    return strength === 'certain' && !isProse(value) && !value.split(/\s+/).some((word) => isNoValue(word));
  if (/^(?:https?:)?\/\//.test(value)) return false;
  if (strength === 'certain') return true;
  return strength === 'likely' ? isLiteral(value) && !TICKET.test(value) : isKeyLike(value);
}

const TICKET = /^[A-Z]{1,8}[-_.]\d{1,6}$/;

export function isFunctionWord(word: string): boolean {
  return EUROPEAN_FUNCTION_WORDS.has(word.toLowerCase());
}

/** True for several words that make a phrase or a sentence about something. */
export function isProse(value: string): boolean {
  return value.split(/\s+/).some(isFunctionWord);
}
