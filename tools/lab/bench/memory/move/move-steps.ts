/** The steps of a move, as tenancy takes them. */
export const MOVE_STEPS = ['prepare', 'copy', 'handOver', 'receive', 'leave'] as const;
export type MoveStep = (typeof MOVE_STEPS)[number];
/** What the moving process says before its first step. */
export const MOVE_STARTED = 'started';
