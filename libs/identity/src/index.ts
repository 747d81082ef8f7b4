export { IDENTITY_HEADER, missingPermission } from './identity.ts';
export type { Identity, ServiceIdentity } from './identity.ts';
export { digestOf, generateKey, hasKeyForm } from './key-format.ts';
export type { NewKey } from './key-format.ts';
export { createServiceTokenSource } from './service-token.ts';
export { generateSigningKey } from './signing-keys.ts';
export { createTokenSigner, createTokenVerifier } from './token.ts';
export type { TokenSigner, TokenVerifier, VerifiedCaller } from './token.ts';
