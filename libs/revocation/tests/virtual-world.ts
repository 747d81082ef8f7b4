import type { Clock } from '../src/index.ts';

interface Event {
  atMs: number;
  order: number;
  run: () => void;
}

/** Time that goes on only by what happens in it, the same for the same schedule. */
export class VirtualWorld {
  nowMs = 0;
  private readonly events: Event[] = [];
  private order = 0;

  at(atMs: number, run: () => void): void {
    const event = { atMs: Math.max(atMs, this.nowMs), order: this.order++, run };
    let low = 0;
    let high = this.events.length;
    // Sorted by time, latest first, so that the next one is popped.
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.events[middle]!;
      if (other.atMs > event.atMs || (other.atMs === event.atMs && other.order > event.order)) low = middle + 1;
      else high = middle;
    }
    this.events.splice(low, 0, event);
  }

  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.nowMs + ms, resolve));
  }

  /** Lets things happen until the time; promises settle between two events. */
  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      await settled();
      const next = this.events.at(-1);
      if (next === undefined || next.atMs > endMs) break;
      this.events.pop();
      this.nowMs = next.atMs;
      next.run();
    }
    this.nowMs = endMs;
  }
}

/** Long enough for every promise that can settle now. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** One process: it can be stopped and continued, its clocks may go wrong, and it can end. */
export class VirtualProcess {
  readonly world: VirtualWorld;
  private readonly rate: number;
  private stoppedUntilMs = 0;
  private frozenMs = 0;
  dead = false;

  constructor(world: VirtualWorld, rate = 1) {
    this.world = world;
    this.rate = rate;
  }

  /** As by SIGSTOP: nothing runs, the clocks go on. `freezes`: the clocks stand still as well. */
  stop(forMs: number, freezes: boolean): void {
    this.stoppedUntilMs = Math.max(this.stoppedUntilMs, this.world.nowMs + forMs);
    if (freezes) this.frozenMs += forMs;
  }

  private timeMs(): number {
    return (this.world.nowMs - this.frozenMs) * this.rate;
  }

  readonly clock: Clock = {
    monotonicMs: () => this.timeMs(),
    wallMs: () => this.timeMs(),
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => this.world.at(this.world.nowMs + ms / this.rate, () => this.run(resolve)));
    },
  };

  /** Runs when this process runs; never, when it is dead by then. */
  run(work: () => void): void {
    if (this.dead) return;
    if (this.world.nowMs < this.stoppedUntilMs) this.world.at(this.stoppedUntilMs, () => this.run(work));
    else work();
  }

  /** A promise whose result reaches this process only while it runs. */
  receive<T>(coming: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      coming.then(
        (value) => this.run(() => resolve(value)),
        (error: unknown) => this.run(() => reject(error as Error)),
      );
    });
  }
}
