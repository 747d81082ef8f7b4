import { isPossiblePhoneNumber, isValidPhoneNumber, type CountryCode } from 'libphonenumber-js';
import type { Finding } from './finding.ts';

const LOCAL_MAX_CHARS = 64;
const DOMAIN_MAX_CHARS = 255;

/** E-mail addresses, looked for from each `@` outwards, so that no text makes it slow. */
export function findEmails(text: string): Finding[] {
  const findings: Finding[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(0, at - LOCAL_MAX_CHARS), at);
    const local = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u.exec(before)?.[0].replace(/^[.'`*_~|{}/=!?&#$%^-]+/, '');
    const domain =
      /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]/u.exec(
        text.slice(at + 1, at + 1 + DOMAIN_MAX_CHARS),
      )?.[0];
    if (local === undefined || local === '' || local.endsWith('.') || domain === undefined) continue;
    findings.push({ kind: 'email', start: at - local.length, end: at + 1 + domain.length });
  }
  for (const match of [...text.matchAll(SPELT_OUT), ...text.matchAll(SPOKEN)])
    findings.push({ kind: 'email', start: match.index, end: match.index + match[0].length });
  return findings;
}

const DOT = String.raw`(?:\.|\s?[([]dot[)\]]\s?|\sdot\s)`;
/** `name (at) example dot org`; the brackets tell it from prose. */
const SPELT_OUT = new RegExp(
  String.raw`[\p{L}\p{N}_+-]{1,64}(?:${DOT}[\p{L}\p{N}_+-]{1,64}){0,4}\s?[([](?:at|@)[)\]]\s?[\p{L}\p{N}-]{1,63}(?:${DOT}[\p{L}\p{N}-]{2,63}){1,4}`,
  'giu',
);

/** `name at example dot org`: the spoken dot distinguishes it from prose. */
const SPOKEN =
  /(?<![\p{L}\p{N}._+-])(?:[\p{L}\p{N}_+-]{1,64} dot ){0,3}[\p{L}\p{N}._+-]{1,64} at (?:[\p{L}\p{N}-]{1,63} dot ){1,4}[a-z]{2,10}(?![\p{L}\p{N}])/giu;

const PHONE = /(?<![\w.:/+-]|\d,)(?:\+|00)?\(?\d(?:[\s().\-/]{0,3}\d){6,14}(?![\w]|[.:/-]\d)/g;
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;
/** Countries whose national form a number may have when it names none. */
const COUNTRIES: readonly CountryCode[] = [
  'US',
  'GB',
  'NL',
  'DE',
  'FR',
  'BE',
  'ES',
  'IT',
  'PL',
  'IE',
  'AU',
  'IN',
  'BR',
  'SE',
];
const PHONE_WORDS =
  /\b(?:phone|tele(?:phone|fon|foon)|tel|mobile|mobil|cell|call(?:ed|s|ing)?|bel|bellen|bereik\w*|handy|fax|whatsapp|sms|text|ring|reach\w*|contact|hotline|dial|portable|téléphone|móvil|anrufen|telefono)\b/iu;
const NOT_PHONE_WORDS =
  /\b(?:order|invoice|part|ref(?:erence)?|serial|version|isbn|issn|ean|sku|article|item|ticket|case|room|line|coordinates|account|id|no|nr|code|commit|tracking|parcel|policy|contract|customer|vat|tax|iban|port|page|section|build)(?:\s(?:number|nummer|no|nr|id))?\b[.:#\s]{0,3}$/iu;
const NEAR_CHARS = 36;

/**
 * Telephone numbers: in the international form by length, in a national form when it is valid in one of the
 * countries and is grouped like a number to dial, or stands behind a word that says so.
 */
export function findPhones(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(PHONE)) {
    const value = match[0];
    const digits = value.replace(/\D/g, '');
    if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) continue;
    const before = text.slice(Math.max(0, match.index - NEAR_CHARS), match.index);
    if (isPhone(value, digits, before))
      findings.push({ kind: 'phone', start: match.index, end: match.index + value.length });
  }
  return findings;
}

function isPhone(value: string, digits: string, before: string): boolean {
  if (value.startsWith('+')) return isPossiblePhoneNumber(value);
  if (value.startsWith('00') && isPossiblePhoneNumber(`+${digits.slice(2)}`)) return true;
  if (looksLikeDate(value) || NOT_PHONE_WORDS.test(before)) return false;
  const named = PHONE_WORDS.test(before);
  const grouped =
    /^\(\d{2,5}\)/.test(value) ||
    (/^0\d/.test(value) && /\d[\s./-]/.test(value)) ||
    /^\d{3}([ .-])\d{3}\1\d{4}$/.test(value);
  if (!named && !grouped) return false;
  if (named && digits.length >= 9 && /[\s.()-]/.test(value)) return true;
  return COUNTRIES.some((country) => isValidPhoneNumber(value, country));
}

function looksLikeDate(value: string): boolean {
  return /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[\sT]|$)/.test(value);
}
