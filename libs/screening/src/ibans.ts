import { validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import type { Finding } from './finding.ts';

const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]){11,30}/gi;
const IBAN_MIN_CHARS = 15;

/** Bank accounts as IBAN: ISO 13616, length and characters of the country, mod 97. */
export function findIbans(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(IBAN)) {
    const end = validIbanEnd(match[0]);
    if (end !== null) findings.push({ kind: 'iban', start: match.index, end: match.index + end });
  }
  return findings;
}

/** Words behind it may have been taken along: the longest beginning that is an account. */
function validIbanEnd(candidate: string): number | null {
  for (let end = candidate.length; end >= IBAN_MIN_CHARS; end -= 1) {
    const compact = candidate.slice(0, end).replace(/[ .-]/g, '').toUpperCase();
    if (/[ .-]$/.test(candidate.slice(0, end)) || /[A-Za-z0-9]/.test(candidate[end] ?? '')) continue;
    if (isIban(compact)) return end;
  }
  return null;
}

/** By country, length and check digits; what some countries check inside besides is not asked for. */
function isIban(compact: string): boolean {
  const { valid, errorCodes } = validateIBAN(compact);
  return valid || errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
}
