export { createByteCipher, readByteCipher } from './byte-cipher.ts';
export type { ByteCipher } from './byte-cipher.ts';
export { createKeyRing, readKeyRing } from './key-ring.ts';
export type { KeyRing } from './key-ring.ts';
