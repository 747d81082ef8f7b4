import type { DlpPolicy, Finding, FindingKind } from './finding.ts';
import { secretNamed, wordsOf } from './secret-names.ts';
import { isLiteral, isSecretUnder, type NameStrength } from './value-shapes.ts';

/** A value in a text, and what its document calls it. */
export interface NamedValue {
  /** From the outermost name to the value's own. */
  names: readonly string[];
  start: number;
  end: number;
  /** Values of one row, object or element have the same number. */
  record: number;
}

const VALUE_MAX_CHARS = 512;
const LABEL_MAX_CHARS = 64;
/** What the value's own name is in a record of names and values. */
const VALUE_WORDS: ReadonlySet<string> = new Set(
  'value val data content contents literal string default plain plaintext text entry wert inhalt eintrag waarde valeur valor contenu cdata'.split(
    ' ',
  ),
);

/** Values that are secrets or personal data by what names them: a column, a key, an element, or a cell beside them. */
export function findNamedValues(text: string, values: readonly NamedValue[], policy: DlpPolicy): Finding[] {
  const findings: Finding[] = [];
  for (const value of values) findings.push(...findingsOf(text, value, policy));
  for (const record of recordsOf(values)) findings.push(...labelledIn(text, record, policy));
  return findings;
}

function findingsOf(text: string, value: NamedValue, policy: DlpPolicy): Finding[] {
  const said = valueIn(text, value);
  const kind = said === null ? null : kindOf(value.names, said.text, policy);
  return kind === null ? [] : [{ kind, ...said!.place }];
}

/** What a value with the names is; null when it is nothing that is masked. */
function kindOf(names: readonly string[], value: string, policy: DlpPolicy): FindingKind | null {
  const strength = strengthOf(names);
  if (strength !== null && isSecretUnder(strength, value)) return 'password';
  return numberKindOf(names.at(-1) ?? '', value, policy);
}

/** A value without quotes and blanks around it; null when there is nothing, or far too much. */
function valueIn(text: string, value: NamedValue): { text: string; place: { start: number; end: number } } | null {
  if (value.end - value.start > VALUE_MAX_CHARS) return null;
  const raw = text.slice(value.start, value.end);
  const said = raw.trim().replace(/^(["'`])(.*)\1$/s, '$2');
  if (said === '') return null;
  const start = value.start + raw.indexOf(said);
  return { text: said, place: { start, end: start + said.length } };
}

/** A name of a value says what it is; where it only says that it is one, the name above it does. */
function strengthOf(names: readonly string[]): NameStrength | null {
  const own = names.at(-1);
  if (own === undefined) return null;
  const strength = secretNamed(own);
  const above = names.at(-2);
  if (strength !== null || above === undefined) return strength;
  if (VALUE_WORDS.has(own.toLowerCase())) return secretNamed(above);
  // `passwords: {ann: …}`: each is one.
  return /s$/i.test(above) ? secretNamed(above.slice(0, -1)) : null;
}

function recordsOf(values: readonly NamedValue[]): NamedValue[][] {
  const records = [...Map.groupBy(values, ({ record }) => record).values()];
  return records.filter((record) => record.length > 1);
}

/** So far from its label is a value looked for in a record. */
const LABEL_REACH = 8;

/**
 * Records that say in one value what the other is: `{"name": "password", "value": …}`, or a cell of a row. The values
 * that are called so are meant, or what looks like one of the kind behind the label.
 */
function labelledIn(text: string, record: readonly NamedValue[], policy: DlpPolicy): Finding[] {
  const findings: Finding[] = [];
  for (const [index, label] of record.entries()) {
    if (label.end - label.start > LABEL_MAX_CHARS || strengthOf(label.names) !== null) continue;
    const name = text.slice(label.start, label.end).trim();
    if (!mayName(name)) continue;
    for (let at = Math.max(0, index - LABEL_REACH); at < Math.min(record.length, index + LABEL_REACH); at += 1) {
      const value = record[at]!;
      const found = value.start === label.start ? null : valueIn(text, value);
      const kind = found === null ? null : kindOf([name], found.text, policy);
      if (found === null || kind === null) continue;
      const isMeant =
        VALUE_WORDS.has(value.names.at(-1)?.toLowerCase() ?? '') || (at > index && isUnnamed(value, label));
      if (isMeant || (at > index && (kind !== 'password' || isLiteral(found.text) || /^\d+$/.test(found.text))))
        findings.push({ kind, ...found.place });
    }
  }
  return findings;
}

/** A cell without a column of its own, the text of an element with attributes, or the element behind a key. */
function isUnnamed(value: NamedValue, label: NamedValue): boolean {
  const own = value.names.at(-1);
  if (own === undefined || own === label.names.at(-2)) return true;
  return PAIRED.has(`${label.names.at(-1)} ${own}`.toLowerCase());
}

/** Elements that stand behind one another as a name and its value. */
const PAIRED: ReadonlySet<string> = new Set([
  'td td',
  'th td',
  'dt dd',
  'key string',
  'key integer',
  'key real',
  'key date',
  'name value',
]);

interface NumberKind {
  kind: FindingKind;
  /** Whether the name, in small letters and blanks for signs, is one of this kind. */
  name: RegExp;
  fits: (value: string) => boolean;
}

const digitsIn = (value: string) => value.replace(/\D/g, '').length;
const isOneOf = (least: number, most: number) => (value: string) => {
  const digits = digitsIn(value);
  return digits >= least && digits <= most && /^[\p{L}\p{N} ./+()-]{1,60}$/u.test(value);
};

function isPin(value: string): boolean {
  return /^\d{4,8}[#*]?$/.test(value);
}

/** Kinds of numbers that a name alone identifies, even when their check digits are wrong. */
const SECRET_NUMBERS: readonly NumberKind[] = [
  {
    kind: 'password',
    name: /\b(?:pin|pin (?:code|number|no)|pincode|door code|access code|unlock code|puk)$/,
    fits: isPin,
  },
  {
    kind: 'credit_card',
    name: /\b(?:(?:credit|debit|payment|bank) ?card(?: (?:number|no|nr))?|card (?:number|no|nr)|cc (?:number|no)|kreditkarten?(?:nummer)?|pan)$/,
    fits: isOneOf(12, 19),
  },
  { kind: 'credit_card', name: /\b(?:cvv|cvc|cvv2|cvc2|card (?:security|verification) code)$/, fits: isOneOf(3, 4) },
  { kind: 'iban', name: /\biban$/, fits: (value) => /^[A-Za-z]{2}\d{2}[A-Za-z0-9 .-]{8,40}$/.test(value) },
  {
    kind: 'bank_account',
    name: /\b(?:bank account|account number|account no|acct no|kontonummer|rekeningnummer|sort code|routing number|numéro de compte)$/,
    fits: isOneOf(6, 20),
  },
  {
    kind: 'national_id',
    name: /\b(?:ssn|social security(?: (?:number|no))?|bsn|national id(?: number)?|national insurance(?: number)?|nino|burgerservicenummer|steuer ?id|sozialversicherungsnummer|passport(?: (?:number|no))|pesel|aadhaar|codice fiscale|cpf|dni|nie|nir)$/,
    fits: isOneOf(5, 18),
  },
];
const PERSONAL_NUMBERS: readonly NumberKind[] = [
  {
    kind: 'email',
    name: /\b(?:e ?mail|mail|email address|e mail address|courriel|correo)$/,
    fits: (value) => /\S@\S|\bat\b/i.test(value),
  },
  {
    kind: 'phone',
    name: /\b(?:(?:tele)?phone|telephone|tel|mobile|cell|fax|whatsapp|handy|telefon|telefoon|téléphone|teléfono|mobil)(?: (?:number|no|nr))?$/,
    fits: isOneOf(5, 16),
  },
  {
    kind: 'birth_date',
    name: /\b(?:birth ?date|date of birth|birth ?day|dob|born|geburtsdatum|geburtstag|geboortedatum|date de naissance|fecha de nacimiento|data di nascita)$/,
    fits: (value) => digitsIn(value) >= 4 && value.length <= 40,
  },
  {
    kind: 'address',
    name: /(?:^|\b(?:home|postal|street|mailing|billing|shipping|delivery|residential|private|customer) )(?:address|addr|street|street address|anschrift|adresse|adres|straße|strasse|straat|direccion|dirección|indirizzo)$/,
    fits: (value) => /\p{L}{2}/u.test(value) && /\d/.test(value) && !/:\/\/|@|^\S+$/.test(value),
  },
];

function numberKindOf(name: string, value: string, policy: DlpPolicy): FindingKind | null {
  if (name.length > LABEL_MAX_CHARS) return null;
  const words = wordsOf(name).join(' ');
  return numbersOf(policy).find((kind) => kind.name.test(words) && kind.fits(value))?.kind ?? null;
}

function numbersOf(policy: DlpPolicy): readonly NumberKind[] {
  return policy === 'pii' ? [...SECRET_NUMBERS, ...PERSONAL_NUMBERS] : SECRET_NUMBERS;
}

/** Whether a value is the name of something that is masked. */
function mayName(text: string): boolean {
  if (secretNamed(text) !== null) return true;
  const words = wordsOf(text).join(' ');
  return numbersOf('pii').some((kind) => kind.name.test(words));
}
