import basex from 'base-x';
import { parse as uuidBytes, v7 as uuidv7 } from 'uuid';

/** Kinds of identifiers by their prefix. */
export const ID_PREFIXES = {
  key: 'key',
  workspace: 'ws',
  memory: 'mem',
  space: 'spc',
  vault: 'vlt',
  thread: 'thr',
  turn: 'turn',
  document: 'doc',
  chunk: 'chk',
  entity: 'ent',
  relation: 'rel',
  contradiction: 'con',
  review: 'rev',
  decision: 'dec',
  webhook: 'whk',
  delivery: 'dlv',
  event: 'evt',
  list: 'lst',
  row: 'row',
  tenant: 'tnt',
  search: 'srch',
  citation: 'cit',
  segment: 'seg',
  engine: 'eng',
  job: 'job',
  oauthClient: 'ocl',
  oauthToken: 'otk',
  source: 'src',
  finding: 'fnd',
  question: 'qst',
  conflict: 'cnf',
  upload: 'upl',
  ticket: 'tkt',
  audit: 'aud',
  session: 'sess',
  member: 'mbr',
  invitation: 'inv',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

// In ASCII order, so that identifiers sort by their time of making.
const base58 = basex('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');

/** A new identifier: prefix, underscore, a UUIDv7 in base58. Later ones sort after earlier ones. */
export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${base58.encode(uuidBytes(uuidv7()))}`;
}

/** Matches an identifier of the kind; what does not match cannot exist and needs no look-up. */
export function idPattern(kind: IdKind): RegExp {
  return new RegExp(`^${ID_PREFIXES[kind]}_[1-9A-HJ-NP-Za-km-z]{1,30}$`);
}

const ANY_ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[1-9A-HJ-NP-Za-km-z]{1,30}$`);

/** Whether the text has the form of an identifier, of whatever kind. */
export function isId(text: string): boolean {
  return ANY_ID.test(text);
}

const UUID_BYTES = 16;
const UUID_TIME_BYTES = 6;

/** When an identifier was made, from the time within it; null for what newId() did not make. */
export function idTime(kind: IdKind, id: string): Date | null {
  if (!idPattern(kind).test(id)) return null;
  const bytes = base58.decode(id.slice(ID_PREFIXES[kind].length + 1));
  if (bytes.length !== UUID_BYTES || bytes[6]! >> 4 !== 7) return null;
  return new Date(Buffer.from(bytes).readUIntBE(0, UUID_TIME_BYTES));
}

/** Sorts before every identifier that was made at that time or later, and after those from before. */
export function idFloor(kind: IdKind, at: Date): string {
  const bytes = Buffer.alloc(UUID_BYTES);
  bytes.writeUIntBE(at.getTime(), 0, UUID_TIME_BYTES);
  bytes[6] = 0x70;
  return `${ID_PREFIXES[kind]}_${base58.encode(bytes)}`;
}
