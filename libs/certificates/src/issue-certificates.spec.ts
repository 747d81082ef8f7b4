import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { type CertificateStore, type IssuedCertificate, issueCertificates } from './index.ts';

const HOLDERS = ['keys', 'gateway', 'operator'] as const;
const NOW = new Date('2031-05-01T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const later = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

let first: { store: CertificateStore; certificates: Record<string, IssuedCertificate> };
beforeAll(async () => {
  first = await issueCertificates(null, HOLDERS, { rotate: false, now: NOW });
});

const authoritiesOf = ({ authorities }: IssuedCertificate) =>
  authorities
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((pem) => pem.trim() !== '')
    .map((pem) => new X509Certificate(pem));
const isTrusted = (certificate: IssuedCertificate, by: IssuedCertificate) => {
  const leaf = new X509Certificate(certificate.certificate);
  return authoritiesOf(by).some((authority) => leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
};

describe('certificates', () => {
  it('name their holder, are of their key, and serve clients and servers for a year', () => {
    const keys = new X509Certificate(first.certificates['keys']!.certificate);
    expect(keys.subjectAltName).toBe('DNS:keys.cairn.internal');
    expect(keys.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(keys.ca).toBe(false);
    expect(new Date(keys.validTo)).toEqual(later(365));
    expect(new Date(keys.validFrom).getTime()).toBeLessThan(NOW.getTime());
    expect(new X509Certificate(first.certificates['gateway']!.certificate).serialNumber).not.toBe(keys.serialNumber);
  });

  it('are trusted by every other holder, and by no holder of another installation', async () => {
    const other = await issueCertificates(null, HOLDERS, { rotate: false, now: NOW });
    for (const one of HOLDERS) {
      for (const peer of HOLDERS) {
        expect(isTrusted(first.certificates[one]!, first.certificates[peer]!)).toBe(true);
        expect(isTrusted(first.certificates[one]!, other.certificates[peer]!)).toBe(false);
      }
    }
  });

  it('stay as they are when they are asked for again, until four months before they expire', async () => {
    const again = await issueCertificates(first.store, HOLDERS, { rotate: false, now: later(240) });
    expect(again.certificates).toEqual(first.certificates);
    const renewed = await issueCertificates(first.store, HOLDERS, { rotate: false, now: later(250) });
    expect(renewed.certificates['keys']!.certificate).not.toBe(first.certificates['keys']!.certificate);
    expect(renewed.certificates['keys']!.authorities).toBe(first.certificates['keys']!.authorities);
  });

  it('from before a rotation are trusted by nobody once they are locked out, and those from after it by all', async () => {
    const second = await issueCertificates(first.store, HOLDERS, { rotate: true, now: later(1) });
    const locked = await issueCertificates(second.store, HOLDERS, { rotate: false, lockOut: true, now: later(1) });
    const atOnce = await issueCertificates(first.store, HOLDERS, { rotate: true, lockOut: true, now: later(1) });
    for (const after of [locked, atOnce]) {
      expect(isTrusted(first.certificates['gateway']!, after.certificates['keys']!)).toBe(false);
      expect(isTrusted(after.certificates['gateway']!, after.certificates['keys']!)).toBe(true);
      // Whoever has not read the files yet knows the authority already.
      expect(isTrusted(after.certificates['gateway']!, first.certificates['keys']!)).toBe(true);
    }
    expect(locked.certificates['keys']!.certificate).toBe(second.certificates['keys']!.certificate);
  });

  it('are not rotated twice within ten minutes', async () => {
    const second = await issueCertificates(first.store, HOLDERS, { rotate: true, now: later(1) });
    const soon = new Date(later(1).getTime() + 9 * 60_000);
    await expect(issueCertificates(second.store, HOLDERS, { rotate: true, now: soon })).rejects.toThrow(
      'wait ten minutes',
    );
  });

  it('rotate so that old and new ones are trusted by whoever has read either', async () => {
    const second = await issueCertificates(first.store, HOLDERS, { rotate: true, now: later(1) });
    const [before, after] = [first.certificates['keys']!, second.certificates['keys']!];
    expect(after.certificate).not.toBe(before.certificate);
    expect(isTrusted(after, before)).toBe(true);
    expect(isTrusted(before, after)).toBe(true);
    const third = await issueCertificates(second.store, HOLDERS, { rotate: true, now: later(2) });
    // The first authority's time is over: what it signed is trusted by nobody who has read this.
    expect(isTrusted(before, third.certificates['keys']!)).toBe(false);
    expect(isTrusted(third.certificates['keys']!, after)).toBe(true);
  });
});
