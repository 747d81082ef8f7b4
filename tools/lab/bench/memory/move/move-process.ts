import { createDatabase } from '@cairn/postgres';
import type { WholeEngine } from '../../../../../apps/memory/src/memories/engines.ts';
import { copyMemory } from '../../../../../apps/memory/src/moving/copy-memory.ts';
import { handOver } from '../../../../../apps/memory/src/moving/hand-over.ts';
import { leaveEngine } from '../../../../../apps/memory/src/moving/leave-engine.ts';
import { prepareMove } from '../../../../../apps/memory/src/moving/prepare-move.ts';
import { receiveMemory } from '../../../../../apps/memory/src/moving/receive-memory.ts';
import type { Move, MoveEngines } from '../../../../../apps/memory/src/moving/move-scope.ts';
import { MOVE_STEPS, MOVE_STARTED, type MoveStep } from './move-steps.ts';

// A process of its own, as the memory service is one, so that it can be killed. Says each step that it has ended.

interface MoverArguments {
  source: string;
  target: string;
  move: Move;
  from: MoveStep;
  /** Ends after this step. */
  to: MoveStep;
}

const RECHECK_MS = 20;
const { source, target, move, from, to } = JSON.parse(process.argv[2]!) as MoverArguments;

const ends: MoveEngines = { source: engineOf(source), target: engineOf(target) };
const work: Record<MoveStep, () => Promise<boolean>> = {
  prepare: async () => (await prepareMove(ends, move)) === 'finished',
  copy: () => copyMemory(ends, move),
  handOver: () => handOver(ends, move),
  receive: async () => {
    await receiveMemory(ends.target, move);
    return true;
  },
  leave: () => leaveEngine(ends, move),
};
process.stdout.write(`${MOVE_STARTED}\n`);
for (const step of MOVE_STEPS.slice(MOVE_STEPS.indexOf(from), MOVE_STEPS.indexOf(to) + 1)) {
  while (!(await work[step]())) await new Promise((resolve) => setTimeout(resolve, RECHECK_MS));
  process.stdout.write(`${step}\n`);
}
process.exit(0);

/** The mover uses background connections alone. */
function engineOf(workerUrl: string): WholeEngine {
  const workerDatabase = createDatabase({ url: workerUrl, applicationName: 'mover', poolMax: 4 });
  return { database: workerDatabase, reads: workerDatabase, workerDatabase, index: undefined as never, search: null };
}
