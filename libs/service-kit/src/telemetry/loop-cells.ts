const WORK_MAX_BYTES = 252;
const COUNTER_BYTES = 4;

/** Memory that the main thread and the thread that watches it share: a counter that ticks, and what was begun last. */
export class LoopCells {
  readonly memory: SharedArrayBuffer;
  private readonly counter: Int32Array;
  private readonly text: Buffer;

  constructor(memory = new SharedArrayBuffer(COUNTER_BYTES + WORK_MAX_BYTES)) {
    this.memory = memory;
    this.counter = new Int32Array(memory, 0, 1);
    this.text = Buffer.from(memory, COUNTER_BYTES, WORK_MAX_BYTES);
  }

  tick(): void {
    Atomics.add(this.counter, 0, 1);
  }

  get ticks(): number {
    return Atomics.load(this.counter, 0);
  }

  /** Waits; only a thread that serves nobody may. */
  wait(ms: number): void {
    // The counter is never what is waited for, so that this ends with the time.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(COUNTER_BYTES)), 0, 0, ms);
  }

  set work(label: string) {
    const length = this.text.write(label, 0, WORK_MAX_BYTES - 1, 'latin1');
    this.text[length] = 0;
  }

  /** Cut at its end when it was written just now; it is for people. */
  get work(): string {
    const end = this.text.indexOf(0);
    return this.text.toString('latin1', 0, end === -1 ? WORK_MAX_BYTES : end);
  }
}
