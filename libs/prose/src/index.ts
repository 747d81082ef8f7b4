export { type ClaimFault, type ClaimJudgement, judgeClaim } from './claims/judge-claim.ts';
export { sanitizeProse } from './sanitize-prose.ts';
