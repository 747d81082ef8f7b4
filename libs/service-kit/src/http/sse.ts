import type { ServerResponse } from 'node:http';

const HEARTBEAT_MS = 15_000;

/** Writes server-sent events with back-pressure and a comment every 15 s (WHATWG HTML, 9.2). */
export class SseWriter {
  private readonly response: ServerResponse;
  private readonly signal: AbortSignal;
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, signal: AbortSignal) {
    this.response = response;
    this.signal = signal;
  }

  get started(): boolean {
    return this.response.headersSent;
  }

  /** Sends the headers, so that the client knows that it is heard though nothing has happened yet. */
  open(): void {
    if (!this.started) this.start();
  }

  /** Sends one event; resolves when the client has room for the next. */
  async send(event: string, data: unknown, id?: string): Promise<void> {
    this.signal.throwIfAborted();
    this.open();
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    if (!this.response.write(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) await this.drained();
  }

  /** Ends the stream. A client that was cut off while it read nothing is not waited for. */
  end(): void {
    clearInterval(this.heartbeat);
    if (this.signal.aborted && this.response.writableNeedDrain) this.response.destroy();
    else this.response.end();
  }

  private start(): void {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    this.response.flushHeaders();
    this.heartbeat = setInterval(() => {
      // Who reads nothing needs no sign of life, and must not make the buffer grow.
      if (!this.response.writableNeedDrain) this.response.write(': keep-alive\n\n');
    }, HEARTBEAT_MS);
    this.heartbeat.unref();
    this.response.once('close', () => clearInterval(this.heartbeat));
  }

  private drained(): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.response.off('drain', done);
        this.response.off('close', done);
        this.signal.removeEventListener('abort', done);
        if (this.signal.aborted) reject(this.signal.reason as Error);
        else if (this.response.destroyed) reject(new DOMException('The client is gone.', 'AbortError'));
        else resolve();
      };
      this.response.once('drain', done);
      this.response.once('close', done);
      this.signal.addEventListener('abort', done, { once: true });
    });
  }
}
