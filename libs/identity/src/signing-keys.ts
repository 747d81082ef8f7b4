import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** A fresh Ed25519 pair named `kid`, as JWKs. */
export async function generateSigningKey(kid: string): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const common = { kid, alg: 'EdDSA', use: 'sig' };
  return {
    privateJwk: { ...(await exportJWK(privateKey)), ...common },
    publicJwk: { ...(await exportJWK(publicKey)), ...common },
  };
}
