export { sanitizeProse } from './sanitize-prose.ts';
export { OMITTED_ADDRESS } from './addresses.ts';
