import { lintSource } from '@secretlint/core';
import { creator, rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Finding, FindingKind } from './finding.ts';

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

const PATTERNS: readonly [kind: FindingKind, pattern: RegExp][] = [
  // Key blocks of PEM, OpenSSH and PGP, also those that were cut off.
  [
    'private_key',
    /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----[^]{0,20000}?(?:-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['private_key', /\bPuTTY-User-Key-File-\d:[^]{0,8000}?Private-MAC: [0-9a-f]{20,}/g],
  // A URL with a user and a password in it.
  ['connection_string', /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>]{0,128}:[^\s@/"'<>]{1,256}@[^\s"'<>,;)\]]{1,512}/gi],
  [
    'token',
    /\beyJ(?<=(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{0,63})[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{4,})?/g,
  ],
  ['token', /(?<=\bBearer\s{1,4})[A-Za-z0-9._~+/-]{16,}={0,2}/gi],
  ['api_key', /\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ANVA)[A-Z0-9]{16}\b/g],
  ['api_key', /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}\b/g],
  ['api_key', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,}|glpat-[\w-]{20,})\b/g],
  ['api_key', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}\b|\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+\b/g],
  ['api_key', /\bAIza[\w-]{35}\b|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/g],
  ['api_key', /\bsk-(?:ant-|proj-|svcacct-|or-v1-)?[\w-]{20,}\b/g],
  [
    'api_key',
    /\b(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|dop_v1_[a-f0-9]{64}|hf_[A-Za-z]{30,}|SG\.[\w-]{16,}\.[\w-]{16,})\b/g,
  ],
  ['api_key', /\bwhsec_[A-Za-z0-9+/]{24,}={0,2}|\bck_(?:live|test|eph)_[A-Za-z0-9]{30,}|\bmk_[A-Za-z0-9]{40,}/g],
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
const SAID = /^["']?\s(?:is|was|ist|lautet|war|est|es|é|are)\s{1,2}(?:now\s|set to\s|jetzt\s)?["'`]?([^\s"'`]{6,128})/i;

/** What follows a word for password. In a sentence only a value with digits or signs counts: "the password is required". */
export function findPasswords(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const word of text.matchAll(PASSWORD_WORDS)) {
    const after = word.index + word[0].length;
    const rest = text.slice(after, after + 180);
    const assigned = ASSIGNED.exec(rest);
    const match = assigned ?? SAID.exec(rest);
    if (match === null) continue;
    const value = match[1]!.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '');
    const drawn = /\d/.test(value) || /[^\p{L}\p{N}]/u.test(value.slice(1, -1));
    if (value.length < 4 || isPlaceholder(value) || !(drawn || (assigned !== null && /[=]/.test(match[0])))) continue;
    const start = after + match.index + match[0].lastIndexOf(match[1]!);
    findings.push({ kind: 'password', start, end: start + value.length });
  }
  for (const match of text.matchAll(USER_OPTION)) {
    const start = match.index + match[0].length - match[1]!.length;
    if (!isPlaceholder(match[1]!)) findings.push({ kind: 'password', start, end: start + match[1]!.length });
  }
  return findings;
}

/** What command lines take as `-u name:password`. */
const USER_OPTION = /(?:\s-u\s?|\s--user[=\s]|\s--proxy-user[=\s])["']?[^\s:"']{1,64}:([^\s"']{3,128})/g;

/** Examples and templates: one character over and over, brackets of a template, words that say so. */
export function isPlaceholder(value: string): boolean {
  return (
    /(.)\1{7,}/.test(value) ||
    /^(?:<.*>|\$\{.*\}|\{\{.*\}\}|%.*%|\*+|\.+)$/.test(value) ||
    /^(?:your|my|the|example|changeme|placeholder|redacted|required|none|null|undefined|true|false)(?:[_-].*)?$/i.test(
      value,
    ) ||
    value.startsWith('[[')
  );
}
