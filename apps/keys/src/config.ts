import { outboundVariables } from '@cairn/outbound';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

/** Plain http only where nobody listens in. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

export const variables = {
  ...serviceVariables,
  ...outboundVariables,
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url({ protocol: /^https?$/ }),
    'Public URL of the gateway; the issuer of OAuth tokens.',
  ),
  sessionIdleHours: variable(
    'CAIRN_SESSION_IDLE_HOURS',
    z.coerce.number().min(0.25).max(168).default(8),
    'A session of the console that is not used for as long ends.',
  ),
  sessionDays: variable(
    'CAIRN_SESSION_DAYS',
    z.coerce.number().min(0.25).max(90).default(7),
    'How long a session of the console lives at most.',
  ),
  oidcIssuer: variable(
    'CAIRN_OIDC_ISSUER',
    z
      .string()
      .refine(isIssuer, 'must be the https:// URL of an issuer (http:// on loopback), without a query')
      .optional(),
    'Issuer of the OpenID Connect provider that people sign in to the console with; `/.well-known/openid-configuration` below it says how it works. Register `<CAIRN_BASE_URL>/console/sign-in` there as the redirect URI. Without it people sign in with links.',
  ),
  oidcClientId: variable(
    'CAIRN_OIDC_CLIENT_ID',
    z.string().min(1).optional(),
    'Client id of this installation at the provider.',
  ),
  oidcClientSecret: variable(
    'CAIRN_OIDC_CLIENT_SECRET',
    z.string().min(1).optional(),
    'Client secret at the provider; `CAIRN_OIDC_CLIENT_SECRET_FILE` keeps it out of the environment.',
  ),
  oidcClientSecretFile: variable(
    'CAIRN_OIDC_CLIENT_SECRET_FILE',
    z.string().min(1).optional(),
    'File with the client secret, instead of the variable.',
  ),
  oidcName: variable(
    'CAIRN_OIDC_NAME',
    z.string().min(1).max(60).default('single sign-on'),
    'What the sign-in page calls the provider: “Sign in with …”.',
  ),
  oidcEmailDomains: variable(
    'CAIRN_OIDC_EMAIL_DOMAINS',
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((domain) => domain.trim().toLowerCase())
          .filter((domain) => domain !== ''),
      ),
    'Domains of e-mail addresses, separated by commas: nobody else may sign in with the provider. Whoever may must be invited all the same. Default: any.',
  ),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
