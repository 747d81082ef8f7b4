import { describe, expect, it } from '@jest/globals';
import { isVerifierOf, scramVerifier } from './scram-verifier.ts';

describe('a SCRAM-SHA-256 verifier', () => {
  it('is of its password and of no other', async () => {
    const verifier = await scramVerifier('secret');
    expect(verifier).not.toContain('secret');
    expect(await isVerifierOf(verifier, 'secret')).toBe(true);
    expect(await isVerifierOf(verifier, 'Secret')).toBe(false);
    expect(await scramVerifier('secret')).not.toBe(verifier);
  });

  it('is that of RFC 7677 for the example’s password, salt and iterations', async () => {
    // The StoredKey and ServerKey that follow from “pencil”; section 3 shows the ServerSignature made with the latter.
    const verifier =
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=';
    expect(await isVerifierOf(verifier, 'pencil')).toBe(true);
  });

  it.each([
    null,
    '',
    'md5a3dcb4d229de6fde0db5686dee47145d',
    'SCRAM-SHA-256$x:y$z:w',
    'SCRAM-SHA-256$4096:AAAA$AAAA:AAAA',
  ])('is not %j', async (stored) => {
    expect(await isVerifierOf(stored, 'secret')).toBe(false);
  });

  it('refuses a password that SASLprep may change', async () => {
    await expect(scramVerifier('pass\u00a0word')).rejects.toThrow('printable ASCII');
  });
});
