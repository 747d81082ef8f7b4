import { validationFailed } from '@cairn/errors';
import { type Outbound, OutboundError } from '@cairn/outbound';

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The URL as it will be asked, or `validation_failed`: https; plain http only to this machine, which the guard lets
 * through only in development.
 */
export function endpointUrl(outbound: Outbound, text: string): string {
  try {
    const url = outbound.check(text);
    if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) throw invalid('must be https');
    url.hash = '';
    return url.href;
  } catch (error) {
    if (error instanceof OutboundError) throw invalid(error.message);
    throw error;
  }
}

function invalid(message: string) {
  return validationFailed([{ path: 'url', message }]);
}
