// One by one: the index of the package loads the checks of all countries, 309 modules.
import { validate as bsn } from 'stdnum/lib/cjs/nl/bsn.js';
import { validate as nir } from 'stdnum/lib/cjs/fr/nir.js';
import { validate as codicefiscale } from 'stdnum/lib/cjs/it/codicefiscale.js';
import { validate as dni } from 'stdnum/lib/cjs/es/dni.js';
import { validate as nie } from 'stdnum/lib/cjs/es/nie.js';
import { validate as cpf } from 'stdnum/lib/cjs/br/cpf.js';
import { validate as nn } from 'stdnum/lib/cjs/be/nn.js';
import { validate as pesel } from 'stdnum/lib/cjs/pl/pesel.js';
import { validate as idnr } from 'stdnum/lib/cjs/de/idnr.js';
import { validate as aadhaar } from 'stdnum/lib/cjs/in/aadhaar.js';
import { validate as personnummer } from 'stdnum/lib/cjs/se/personnummer.js';
import { passesLuhn } from './cards.ts';
import type { Finding } from './finding.ts';
import { findIbans } from './ibans.ts';

/** Bank accounts as IBAN, or behind words that say so. */
export function findAccounts(text: string): Finding[] {
  const findings = findIbans(text);
  for (const match of text.matchAll(NAMED_ACCOUNT)) {
    const value = match[1]!;
    const start = match.index + match[0].lastIndexOf(value);
    findings.push({ kind: 'bank_account', start, end: start + value.length });
  }
  return findings;
}

const NAMED_ACCOUNT =
  /\b(?:bank account|account (?:number|no\.?|nr\.?)|acct\.? (?:number|no\.?)|sort code|routing (?:number|no\.?)|kontonummer|rekeningnummer|numéro de compte)\b\s{0,3}(?:[:#=]|is)?\s{0,3}(\d(?:[ -]?\d){5,16})\b/gi;

interface NationalId {
  pattern: RegExp;
  /** Words before it without which a number of this form is only a number. */
  near?: RegExp;
  isValid: (value: string) => boolean;
}

const digitsOf = (value: string) => value.replace(/[\s.-]/g, '');
const by = (validate: (value: string) => { isValid: boolean }) => (value: string) => validate(digitsOf(value)).isValid;

/** Forms of national identifiers, each with its own check; the checks are stdnum's. */
const NATIONAL_IDS: readonly NationalId[] = [
  { pattern: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, isValid: isSocialSecurityNumber },
  {
    pattern: /(?<![\w-])\d{9}(?![\w-])/g,
    near: /\b(?:ssn|social security)\b/i,
    isValid: (value) => isSocialSecurityNumber(`${value.slice(0, 3)}-${value.slice(3, 5)}-${value.slice(5)}`),
  },
  {
    pattern: /(?<![\w.-])\d(?:[. ]?\d){7,8}(?![\w-])/g,
    near: /\b(?:bsn|burgerservice\w*|sofi\w*|citizen service|citizen number)\b/i,
    isValid: by(bsn),
  },
  {
    pattern: /(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
    isValid: isInsuranceNumber,
  },
  {
    pattern: /(?<!\w)[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/g,
    isValid: by(nir),
  },
  {
    pattern: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/g,
    isValid: by(codicefiscale),
  },
  {
    pattern: /(?<!\w)(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z](?!\w)/g,
    isValid: (value) => by(dni)(value) || by(nie)(value),
  },
  { pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\w)/g, isValid: by(cpf) },
  { pattern: /(?<![\w.-])\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?!\w)/g, isValid: by(nn) },
  { pattern: /(?<![\w.-])\d{11}(?![\w-])/g, near: /\bpesel\b/i, isValid: by(pesel) },
  {
    pattern: /(?<![\w.-])\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    near: /\b(?:steuer-?id\w*|steuerliche|idnr|tax id)\b/i,
    isValid: by(idnr),
  },
  {
    pattern: /(?<![\w.-])\d{3}[ -]\d{3}[ -]\d{3}(?![\w-])/g,
    near: /\b(?:sin|social insurance)\b/i,
    isValid: (value) => passesLuhn(digitsOf(value)),
  },
  {
    pattern: /(?<![\w.-])\d{4} ?\d{4} ?\d{4}(?![\w-])/g,
    near: /\b(?:aadhaar|aadhar|uidai)\b/i,
    isValid: by(aadhaar),
  },
  {
    pattern: /(?<![\w.-])(?:\d{6}|\d{8})[-+]\d{4}(?![\w-])/g,
    near: /\bperson(?:nummer|al identity)\b/i,
    isValid: by(personnummer),
  },
];

const NEAR_CHARS = 48;

export function findNationalIds(text: string): Finding[] {
  if (!/\d{2}/.test(text)) return [];
  const findings: Finding[] = [];
  for (const { pattern, near, isValid } of NATIONAL_IDS) {
    for (const match of text.matchAll(pattern)) {
      if (near !== undefined && !near.test(text.slice(Math.max(0, match.index - NEAR_CHARS), match.index))) continue;
      if (isValid(match[0]))
        findings.push({ kind: 'national_id', start: match.index, end: match.index + match[0].length });
    }
  }
  return findings;
}

/** Numbers that the United States never give: area 000, 666 and 9xx, group 00, serial 0000, and the printed example. */
function isSocialSecurityNumber(value: string): boolean {
  return /^(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}$/.test(value) && value !== '078-05-1120';
}

/** Prefixes that the United Kingdom does not give. */
function isInsuranceNumber(value: string): boolean {
  return !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(value);
}
