import { isIP } from 'node:net';
import { type AddressPolicy, assertMayConnect } from './address-policy.ts';
import { isInternalName, isMetadataName } from './internal-names.ts';
import { OutboundError } from './outbound-error.ts';

const URL_MAX_CHARS = 8_192;

/**
 * Reads an http or https URL that may be asked, as far as can be said without asking a name server; throws an
 * `OutboundError`. Numbers that mean an address (`0x7f.1`, `2130706433`) are read as the platform would connect to them.
 */
export function checkUrl(policy: AddressPolicy, text: string): URL {
  if (text.length > URL_MAX_CHARS) throw new OutboundError('url_invalid', 'the URL is too long');
  if (!URL.canParse(text)) throw new OutboundError('url_invalid', 'this is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutboundError('scheme_refused', `only http and https are asked, not ${url.protocol.slice(0, 40)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('user_info_refused', 'a URL must not carry a user name or a password');
  }
  const host = hostOf(url);
  if (isIP(host) !== 0) assertMayConnect(policy, host, [host]);
  else assertMayResolve(policy, host);
  return url;
}

/** The host without the brackets of an IPv6 address and without the dots of the root. */
export function hostOf(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/(?<!\.)\.+$/, '');
}

/** Throws `address_refused` for a name that can only lead into a private network, or to a metadata service. */
function assertMayResolve(policy: AddressPolicy, host: string): void {
  if (policy.allowPrivateNetwork ? !isMetadataName(host) : !isInternalName(host)) return;
  throw new OutboundError('address_refused', `${host} is a name of a private network, which requests may not go to`);
}
