import type { FindingKind } from './finding.ts';

/** Forms of secrets that nothing else has. */
export const KNOWN_SECRETS: readonly [kind: FindingKind, pattern: RegExp][] = [
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
  ['token', /(?<=\bBearer\s{1,4})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{16,}={0,2}/gi],
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
];
