export { sanitizeProse } from './sanitize-prose.ts';
