/** Runs that a process may be starting at a time; the others of a burst are left to other processes. */
const STARTING_MAX = 4;

/**
 * Bounds how fast a process claims: a run is starting until it has completed a step, or for `startingMs`. Without a bound the
 * process that wakes first claims a whole burst, though it works on a few runs at a time, and other processes find none.
 */
export class StartingRuns {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly startingMs: number;
  private readonly onRoom: () => void;

  constructor(startingMs: number, onRoom: () => void) {
    this.startingMs = startingMs;
    this.onRoom = onRoom;
  }

  /** How many more may start. */
  get room(): number {
    return STARTING_MAX - this.timers.size;
  }

  add(runId: string): void {
    clearTimeout(this.timers.get(runId));
    this.timers.set(runId, setTimeout(() => this.remove(runId), this.startingMs).unref());
  }

  /** The run has started, or is no longer this process's. */
  remove(runId: string): void {
    clearTimeout(this.timers.get(runId));
    if (this.timers.delete(runId)) this.onRoom();
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}
