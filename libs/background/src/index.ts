export { inSlots } from './in-slots.ts';
export { startLoop } from './loop.ts';
export { repeat } from './repeat.ts';
