import { lintSource } from '@secretlint/core';
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding, FindingKind } from './finding.ts';
import { KNOWN_SECRETS } from './known-secrets.ts';
import { isNoValue, isPlaceholder } from './value-shapes.ts';

/**
 * Every secret holds a run of characters like this, in which not all is small letters, as in long or compound words;
 * or it is an address with a password. Text without either is spared the rules.
 */
const MAY_HOLD_SECRET =
  /(?<![A-Za-z0-9_\-+/=.~])(?![A-Z]?[a-z.\-/]+(?![A-Za-z0-9_\-+/=.~]))[A-Za-z0-9_\-+/=.~]{16}|:\/\/[^\s/@]{1,200}@/;
const CONFIG = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };

/** Tokens of known makers, by the rules that the secretlint project keeps. */
export async function findKnownTokens(text: string): Promise<Finding[]> {
  if (rules.length === 0 || !MAY_HOLD_SECRET.test(text)) return [];
  const source = { filePath: '/document.txt', content: text, ext: '.txt', contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config: CONFIG } });
  return messages.map(({ ruleId, messageId, range }) => ({
    kind: kindOf(`${ruleId} ${messageId}`),
    start: range[0],
    end: range[1],
  }));
}

function kindOf(rule: string): FindingKind {
  if (/privatekey|private-key/i.test(rule)) return 'private_key';
  if (/connection|basicauth/i.test(rule)) return 'connection_string';
  return 'api_key';
}

/** What the kept rules leave out. */
const PATTERNS: readonly [kind: FindingKind, pattern: RegExp][] = [
  ...KNOWN_SECRETS,
  // A name that says key or secret, an assignment, and a value that looks drawn by lot.
  [
    'api_key',
    /(?<=\b[\w-]{0,40}(?:api[_-]?key|secret|access[_-]?key|auth[_-]?token|client[_-]?secret)["']?\s{0,3}(?:[:=]|=>)\s{0,3}["']?)[A-Za-z0-9_\-+/=.]{16,200}/gi,
  ],
];

/** Patterns of our own, for what the kept rules leave out. */
export function findSecretPatterns(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [kind, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      if (isPlaceholder(match[0])) continue;
      findings.push({
        kind,
        start: match.index,
        end: match.index + match[0].replace(/(?<![.,;:])[.,;:]+$/, '').length,
      });
    }
  }
  return findings;
}

const PASSWORD_WORDS =
  /\b(?:password|passwort|passwd|passphrase|pass ?code|pwd|wachtwoord|kennwort|mot de passe|contraseña|senha|hasło|parola d'ordine)\b/giu;
const ASSIGNED = /^["']?\s{0,3}(?:[:=]|=>)\s{0,3}["'`]?([^\s"'`]{4,128})/;
/** What is assigned to a word for password, and what command lines take. */
export function findPasswords(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const word of text.matchAll(PASSWORD_WORDS)) {
    const after = word.index + word[0].length;
    const rest = text.slice(after, after + 180);
    const match = ASSIGNED.exec(rest);
    if (match === null) continue;
    const value = match[1]!.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '');
    const drawn = /\d/.test(value) || /[^\p{L}\p{N}]/u.test(value.slice(1, -1));
    if (value.length < 4 || isNoValue(value) || !(drawn || match[0].includes('='))) continue;
    const start = after + match.index + match[0].lastIndexOf(match[1]!);
    findings.push({ kind: 'password', start, end: start + value.length });
  }
  for (const match of text.matchAll(USER_OPTION)) {
    const start = match.index + match[0].length - match[1]!.length;
    // A shell puts something else there.
    if (isPlaceholder(match[1]!) || match[1]!.startsWith('$')) continue;
    findings.push({ kind: 'password', start, end: start + match[1]!.length });
  }
  return findings;
}

/** What command lines take as `-u name:password`. */
const USER_OPTION = /(?:\s-u\s?|\s--user[=\s]|\s--proxy-user[=\s])["']?[^\s:"']{1,64}:([^\s"']{3,128})/g;
