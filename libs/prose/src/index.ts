export { judgeClaim } from './claims/judge-claim.ts';
export { sanitizeProse } from './sanitize-prose.ts';
