/**
 * Separates a run that has stalled before from runs of which little is known yet, so that a further stall has one
 * cause. Probation starts when all other runs have proved themselves, and no other run starts before the suspect has. A
 * run proves itself by completing a step or by running for a while.
 */
export class Probation {
  private readonly durationMs: number;
  private readonly onPassed: () => void;
  private suspect: string | null = null;
  /** Runs that have not proved themselves yet, with the timer after which they have. */
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(durationMs: number, onPassed: () => void) {
    this.durationMs = durationMs;
    this.onPassed = onPassed;
  }

  /** True while a suspect is on probation: no other run may start. */
  get isOn(): boolean {
    return this.suspect !== null;
  }

  /** True when a suspect may start. */
  get canStart(): boolean {
    return this.timers.size === 0;
  }

  start(runId: string): void {
    this.suspect = runId;
    this.observe(runId);
  }

  observe(runId: string): void {
    clearTimeout(this.timers.get(runId));
    this.timers.set(runId, setTimeout(() => this.pass(runId), this.durationMs).unref());
  }

  /** The run has completed a step or has run for long enough. */
  pass(runId: string): void {
    clearTimeout(this.timers.get(runId));
    this.timers.delete(runId);
    if (this.suspect !== runId) return;
    this.suspect = null;
    this.onPassed();
  }

  /** This process no longer owns the run. */
  forget(runId: string): void {
    this.pass(runId);
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.suspect = null;
  }
}
