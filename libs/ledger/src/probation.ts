/**
 * Keeps a run that has stalled before apart from those of which little is known yet, so that a stall has one cause: it
 * begins when all others have shown that they do not stall their process at once, and none begins until it has shown
 * the same. A run shows it by keeping a step, or by working for a while.
 */
export class Probation {
  private readonly durationMs: number;
  private readonly onEnd: () => void;
  private suspect: string | null = null;
  /** Runs of which little is known yet, and when that is over. */
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(durationMs: number, onEnd: () => void) {
    this.durationMs = durationMs;
    this.onEnd = onEnd;
  }

  /** True while a suspect is being tried: nothing else is to begin. */
  get isOn(): boolean {
    return this.suspect !== null;
  }

  /** True when a suspect may be tried. */
  get canBegin(): boolean {
    return this.timers.size === 0;
  }

  begin(runId: string): void {
    this.suspect = runId;
    this.observe(runId);
  }

  observe(runId: string): void {
    clearTimeout(this.timers.get(runId));
    this.timers.set(runId, setTimeout(() => this.pass(runId), this.durationMs).unref());
  }

  /** The run has kept a step, or has worked for long enough. */
  pass(runId: string): void {
    clearTimeout(this.timers.get(runId));
    this.timers.delete(runId);
    if (this.suspect !== runId) return;
    this.suspect = null;
    this.onEnd();
  }

  /** The run is no longer this process's. */
  forget(runId: string): void {
    this.pass(runId);
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.suspect = null;
  }
}
