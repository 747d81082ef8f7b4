import { connect, type Socket } from 'node:net';
import { eventually } from '@cairn/testing';

const TIMEOUT_MS = 5_000;

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection on which a spec may say what no HTTP client would. */
export class RawConnection {
  readonly socket: Socket;
  private bytes = Buffer.alloc(0);
  private over = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.over = true;
    });
  }

  get received(): string {
    return this.bytes.toString('latin1');
  }

  get closed(): boolean {
    return this.over;
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** Ends the connection with a reset instead of a goodbye. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  async receives(text: string): Promise<void> {
    await eventually(
      () => this.received,
      (received) => received.includes(text),
      TIMEOUT_MS,
    );
  }

  /** A failure tells what was received until then. */
  async closes(): Promise<void> {
    await eventually(
      () => ({ over: this.over, received: this.received }),
      ({ over }) => over,
      TIMEOUT_MS,
    );
  }

  /** The next whole response with a Content-Length; what follows it stays for the next call. */
  async response(): Promise<RawResponse> {
    const { found } = await eventually(
      () => ({ found: firstAnswer(this.received), received: this.received }),
      (last) => last.found !== null || this.over,
      TIMEOUT_MS,
    );
    const { response, length } = found ?? fail(this.received);
    this.bytes = this.bytes.subarray(length);
    return response;
  }
}

function fail(received: string): never {
  throw new Error(`the connection closed without a whole response: ${JSON.stringify(received)}`);
}

function firstAnswer(text: string): { response: RawResponse; length: number } | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [line = '', ...fields] = text.slice(0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const length = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return null;
  return { response: { status: Number(line.split(' ')[1]), headers, body: text.slice(headEnd + 4, length) }, length };
}
