import { errors } from 'undici';
import { OutboundError, type OutboundErrorCode } from './outbound-error.ts';

/** What undici and the platform throw, by their codes. */
const CODES: ReadonlyMap<string, OutboundErrorCode> = new Map(
  Object.entries<OutboundErrorCode>({
    ECONNREFUSED: 'connection_failed',
    EHOSTUNREACH: 'connection_failed',
    ENETUNREACH: 'connection_failed',
    EADDRNOTAVAIL: 'connection_failed',
    ETIMEDOUT: 'connection_failed',
    UND_ERR_CONNECT_TIMEOUT: 'connection_failed',
    ECONNRESET: 'connection_lost',
    EPIPE: 'connection_lost',
    UND_ERR_SOCKET: 'connection_lost',
    UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
    UND_ERR_INVALID_ARG: 'url_invalid',
    EPROTO: 'tls_failed',
  }),
);

const WORDS: Partial<Record<OutboundErrorCode, string>> = {
  connection_failed: 'could not be connected to',
  connection_lost: 'ended the connection before its answer was complete',
  headers_too_large: 'sent more header bytes than are read',
  url_invalid: 'cannot be asked in this way',
  tls_failed: 'could not be trusted or spoken to over TLS',
  answer_malformed: 'sent something that is not HTTP',
};

/** Any failure of an exchange as an `OutboundError`. */
export function failureOf(error: unknown, url: URL): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const detail = code === 'tls_failed' ? ` (${platformCodes(error)[0] ?? 'TLS'})` : '';
  return new OutboundError(code, `${url.host} ${WORDS[code] ?? 'could not be asked'}${detail}`, error);
}

function codeOf(error: unknown): OutboundErrorCode {
  for (const code of platformCodes(error)) {
    const known = CODES.get(code);
    if (known !== undefined) return known;
    if (code.startsWith('HPE_')) return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'answer_malformed';
    if (/CERT|TLS|SSL|VERIFY|ISSUER|CRL/.test(code)) return 'tls_failed';
    if (code.startsWith('UND_ERR_RES')) return 'answer_malformed';
  }
  // Undici's own parser gives no code.
  return error instanceof errors.HTTPParserError ? 'answer_malformed' : 'connection_lost';
}

/** The codes of an error and of what it was made of; a connection attempt to several addresses fails with all of them. */
function platformCodes(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const own = typeof code === 'string' ? [code] : [];
  const inner = Array.isArray(errors) ? errors.flatMap(platformCodes) : [];
  return [...own, ...inner, ...platformCodes(cause)];
}
