export { issueCertificates } from './issue-certificates.ts';
export type { CertificateStore, IssuedCertificate } from './issue-certificates.ts';
