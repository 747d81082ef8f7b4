import type { Finding } from './finding.ts';

const CARD = /(?<![\w.])\d(?:[ -]?\d){11,18}(?![\w]|\.\d)/g;
/** In groups as on the card, with other signs between them. */
const GROUPED_CARD =
  /(?<![\w.])(?:\d{4}(?:\.| ?[-_/·] ?)\d{4}(?:\.| ?[-_/·] ?)\d{4}(?:\.| ?[-_/·] ?)\d{4}|\d{4}(?:\.| ?[-_/·] ?)\d{6}(?:\.| ?[-_/·] ?)\d{5})(?!\w|\.\d)/g;
const CARD_MAKERS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Card numbers: of a maker's range and length, with the right check digit. */
export function findCards(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of [...text.matchAll(CARD), ...text.matchAll(GROUPED_CARD)]) {
    const digits = match[0].replace(/\D/g, '');
    if (CARD_MAKERS.test(digits) && passesLuhn(digits) && new Set(digits).size > 1)
      findings.push({ kind: 'credit_card', start: match.index, end: match.index + match[0].length });
  }
  return findings;
}

/** ISO/IEC 7812: from the right, every second digit doubled. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    let digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    if (index % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}
