import { errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';

const ALGORITHM = 'EdDSA';
/** Differs from that of identity tokens, so that neither is accepted as the other. */
const AUDIENCE = 'cairn-ticket';
/** The only service whose tickets are accepted. */
const ISSUER = 'research';

/**
 * Stands for a credential where no header can be sent, for one purpose: it names the credential, so that the gateway
 * admits it exactly as long as the credential itself.
 */
export interface Ticket {
  ticketId: string;
  /** The key, or the single OAuth token, with which it is revoked. */
  credentialId: string;
  /** The run that it gives access to. */
  threadId: string;
  use: 'socket' | 'page';
  untilMs: number;
}

export interface TicketSigner {
  sign(ticket: Ticket): Promise<string>;
}

export type TicketCheck = { ok: true; ticket: Ticket } | { ok: false; denial: 'invalid' | 'expired' };

export interface TicketVerifier {
  verify(text: string): Promise<TicketCheck>;
}

export async function createTicketSigner(privateJwk: JWK): Promise<TicketSigner> {
  const key = await importJWK(privateJwk, ALGORITHM);
  return {
    sign: (ticket) =>
      new SignJWT({ ...ticket })
        .setProtectedHeader({ alg: ALGORITHM, kid: privateJwk.kid ?? '' })
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.ceil(ticket.untilMs / 1_000))
        .sign(key),
  };
}

/** Verifies tickets against the services' public keys, of which only the issuer's count. */
export async function createTicketVerifier(
  publicJwks: readonly JWK[],
  nowMs: () => number = Date.now,
): Promise<TicketVerifier> {
  const keys = new Map<string, Awaited<ReturnType<typeof importJWK>>>();
  for (const jwk of publicJwks) {
    const kid = jwk.kid ?? '';
    if (kid.split('.')[0] === ISSUER) keys.set(kid, await importJWK(jwk, ALGORITHM));
  }
  return {
    async verify(text) {
      try {
        const { payload } = await jwtVerify<Partial<Ticket>>(
          text,
          ({ kid }) => {
            const key = keys.get(kid ?? '');
            if (key === undefined) throw new Error('unknown kid');
            return key;
          },
          { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: new Date(nowMs()) },
        );
        const { ticketId, credentialId, threadId, use, untilMs } = payload;
        const complete = [ticketId, credentialId, threadId].every((part) => typeof part === 'string' && part !== '');
        if (!complete || (use !== 'socket' && use !== 'page') || typeof untilMs !== 'number')
          return { ok: false, denial: 'invalid' };
        if (nowMs() >= untilMs) return { ok: false, denial: 'expired' };
        const ticket: Ticket = {
          ticketId: ticketId!,
          credentialId: credentialId!,
          threadId: threadId!,
          use,
          untilMs,
        };
        return { ok: true, ticket };
      } catch (error) {
        return { ok: false, denial: error instanceof errors.JWTExpired ? 'expired' : 'invalid' };
      }
    },
  };
}
