export { startLoop } from './loop.ts';
export { repeat } from './repeat.ts';
