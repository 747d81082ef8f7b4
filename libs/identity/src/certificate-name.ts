import type { ServiceName } from '@cairn/contracts';

/** Whoever has a certificate for mutual TLS: the services, the gateways, and the operator's commands. */
export type CertificateHolder = ServiceName | 'gateway' | 'operator';

const DOMAIN = 'cairn.internal';

/** The DNS name in the certificate of a part. It is never resolved: it says who a peer is, wherever it is. */
export function certificateNameOf(holder: string): string {
  return `${holder}.${DOMAIN}`;
}
