import { validationFailed } from '@cairn/errors';
import { type Outbound, OutboundError } from '@cairn/outbound';

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** What a developer needs to know who tries webhooks at home. */
const ON_ONES_OWN_MACHINE =
  'To try webhooks on your own machine, start Cairn with CAIRN_ALLOW_PRIVATE_NETWORK=true; for development only';

/**
 * The normalised URL, or `validation_failed`: https, or plain http to this machine, which the address policy allows in
 * development only.
 */
export function endpointUrl(outbound: Outbound, text: string): string {
  try {
    const url = outbound.check(text);
    if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) throw invalid('must be https');
    url.hash = '';
    return url.href;
  } catch (error) {
    if (error instanceof OutboundError)
      throw invalid(error.code === 'address_refused' ? `${error.message}. ${ON_ONES_OWN_MACHINE}` : error.message);
    throw error;
  }
}

function invalid(message: string) {
  return validationFailed([{ path: 'url', message }]);
}
