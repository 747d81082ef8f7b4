import { type ConfigOf, variable } from '@cairn/service-kit';
import { z } from 'zod';
import { parseNoProxy } from './no-proxy.ts';

/** Variables of every service that sends outbound requests; each spreads them into its own. */
export const outboundVariables = {
  allowPrivateNetwork: variable(
    'CAIRN_ALLOW_PRIVATE_NETWORK',
    z.stringbool().default(false),
    'Development only: allows requests to loopback and private addresses, and plain http for webhook endpoints on loopback.',
  ),
  outboundProxy: variable(
    'CAIRN_OUTBOUND_PROXY',
    z.url({ protocol: /^https?$/ }).optional(),
    'Forward proxy, http:// or https://, for all outbound requests: models, search engines, crawled pages, ingested URLs and webhooks.',
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
    "Hosts of the operator's own configuration (models, search engine) that bypass the proxy: comma-separated names (which include their subdomains), addresses and CIDR ranges. URLs named by tenants always go through the proxy.",
  ),
  outboundCertificatesFile: variable(
    'CAIRN_OUTBOUND_CA_FILE',
    z.string().min(1).optional(),
    'PEM file with additional trusted certificate authorities, for outbound requests and for an https:// proxy.',
  ),
} as const;

export type OutboundConfig = ConfigOf<typeof outboundVariables>;
