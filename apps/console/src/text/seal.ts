const ALGORITHM = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;

export interface Seal {
  /** The beginning of the public key's SHA-256, as people compare it: `3F2A-91C0`. */
  code: string;
  /** Encrypts a short text so that the holder of the private key alone can read it; base64url. */
  close(text: string): Promise<string>;
}

/** Throws where the bytes are no public RSA key (SPKI). */
export async function sealTo(spki: Uint8Array<ArrayBuffer>): Promise<Seal> {
  const key = await crypto.subtle.importKey('spki', spki, ALGORITHM, false, ['encrypt']);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki));
  const [a, b, c, d] = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0').toUpperCase());
  return {
    code: `${a}${b}-${c}${d}`,
    async close(text) {
      const sealed = await crypto.subtle.encrypt(ALGORITHM, key, new TextEncoder().encode(text));
      return base64url(new Uint8Array(sealed));
    },
  };
}

/** Null for what is no base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
