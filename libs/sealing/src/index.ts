export { createSealing, readSealing } from './sealing.ts';
export type { Sealing } from './sealing.ts';
