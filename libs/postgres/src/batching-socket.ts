import { Socket } from 'node:net';

/**
 * Sends the statements of one turn of the event loop with one call of the system: those of a transaction that do not
 * wait for each other's answers are then one packet, and wake PostgreSQL once. The driver holds a statement's messages
 * back until it is whole; this holds them back until nothing else is to be done at once.
 */
export class BatchingSocket extends Socket {
  private isHeld = false;

  override cork(): void {
    super.cork();
    if (this.isHeld) return;
    this.isHeld = true;
    super.cork();
    // After all that is done at once, promises included.
    process.nextTick(() => {
      this.isHeld = false;
      this.uncork();
    });
  }
}
