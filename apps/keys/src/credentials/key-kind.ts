import { type CredentialKind, KEY_TYPES, KeyKind, type KeyType } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';

/** Each kind of credential as gRPC messages name it. */
export const KEY_KINDS = {
  live: KeyKind.LIVE,
  test: KeyKind.TEST,
  ephemeral: KeyKind.EPHEMERAL,
  memory: KeyKind.MEMORY,
  member: KeyKind.MEMBER,
  oauth: KeyKind.OAUTH,
} as const satisfies Record<CredentialKind, KeyKind>;

/** Throws `validation_failed` for a kind of credential that is no API key. */
export function keyTypeOf(kind: KeyKind): KeyType {
  const found = KEY_TYPES.find((type) => KEY_KINDS[type] === kind);
  if (found === undefined) throw validationFailed([{ path: 'kind', message: 'is not a type of key' }]);
  return found;
}
