import { type ConfigOf, variable } from '@cairn/service-kit';
import { z } from 'zod';
import { parseNoProxy } from './no-proxy.ts';

/** What every service that sends requests to the outside reads; each spreads it into its own variables. */
export const outboundVariables = {
  allowPrivateNetwork: variable(
    'CAIRN_ALLOW_PRIVATE_NETWORK',
    z.stringbool().default(false),
    'Development only: requests may go to loopback and private addresses, and webhook endpoints on loopback may be plain http.',
  ),
  outboundProxy: variable(
    'CAIRN_OUTBOUND_PROXY',
    z.url({ protocol: /^https?$/ }).optional(),
    'Forward proxy, http:// or https://, for every request to the outside: models, search engines, crawled pages, ingested URLs and webhooks.',
  ),
  outboundNoProxy: variable(
    'CAIRN_OUTBOUND_NO_PROXY',
    z
      .string()
      .default('')
      .transform((text, context) => {
        const parsed = parseNoProxy(text);
        if ('problem' in parsed) {
          context.addIssue(parsed.problem);
          return z.NEVER;
        }
        return parsed.entries;
      }),
    "Hosts of the operator's own configuration (models, search engine) that are reached without the proxy: names, which include their subdomains, addresses and CIDR ranges, separated by commas. What tenants name always goes through the proxy.",
  ),
  outboundCertificatesFile: variable(
    'CAIRN_OUTBOUND_CA_FILE',
    z.string().min(1).optional(),
    'PEM file of further certificate authorities to trust, for servers outside and for an https:// proxy.',
  ),
} as const;

export type OutboundConfig = ConfigOf<typeof outboundVariables>;
