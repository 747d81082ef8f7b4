export { inSlots } from './in-slots.ts';
export { startLoop } from './loop.ts';
export { repeat } from './repeat.ts';
export { timeSlice } from './time-slice.ts';
