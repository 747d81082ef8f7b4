/** What screening masks; the mask of a kind is its name in capitals: `[[EMAIL_1]]`. */
export const SECRET_KINDS = [
  'private_key',
  'connection_string',
  'api_key',
  'token',
  'password',
  'credit_card',
  'iban',
  'bank_account',
  'national_id',
] as const;
export const PERSONAL_KINDS = ['email', 'phone', 'address', 'birth_date'] as const;
export type FindingKind = (typeof SECRET_KINDS)[number] | (typeof PERSONAL_KINDS)[number];

/** `secrets` finds what opens doors or accounts and what identifies a citizen; `pii` finds contact data, too. */
export type DlpPolicy = 'off' | 'secrets' | 'pii';

/** A place in a text; never the value itself. */
export interface Finding {
  kind: FindingKind;
  start: number;
  end: number;
}
