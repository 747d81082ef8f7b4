/** What the main thread of a worker process shares with its guard thread through shared memory. */
interface TaskBudget {
  /** A task begins; without one, the budget of the process is unlimited. */
  begin(cpuMaxMs: number): void;
  end(): void;
  /** The number of the task, which grows with each one, and its processor time; 0 ms when none is being done. */
  read(): { task: number; cpuMaxMs: number };
}

export const TASK_BUDGET_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;
const TASK = 0;
const CPU_MAX_MS = 1;

export function taskBudget(shared: SharedArrayBuffer): TaskBudget {
  const cells = new Int32Array(shared);
  return {
    begin(cpuMaxMs) {
      // In this order the guard never takes the new budget for that of the task before.
      Atomics.add(cells, TASK, 1);
      Atomics.store(cells, CPU_MAX_MS, cpuMaxMs);
    },
    end: () => void Atomics.store(cells, CPU_MAX_MS, 0),
    read: () => ({ task: Atomics.load(cells, TASK), cpuMaxMs: Atomics.load(cells, CPU_MAX_MS) }),
  };
}
