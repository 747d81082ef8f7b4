import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

export interface RawAnswer {
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
    await eventually(`${JSON.stringify(text)} in ${JSON.stringify(this.received.slice(0, 2_000))}`, () =>
      this.received.includes(text),
    );
  }

  async closes(): Promise<void> {
    await eventually(
      `the connection closes; received ${JSON.stringify(this.received.slice(0, 2_000))}`,
      () => this.over,
    );
  }

  /** The next whole answer with a Content-Length; what follows it stays for the next call. */
  async answer(): Promise<RawAnswer> {
    let found: { answer: RawAnswer; length: number } | null = null;
    await eventually(`an answer in ${JSON.stringify(this.received.slice(0, 2_000))}`, () => {
      found = firstAnswer(this.received);
      return found !== null || this.over;
    });
    const { answer, length } = (found ?? fail(this.received)) as { answer: RawAnswer; length: number };
    this.bytes = this.bytes.subarray(length);
    return answer;
  }
}

function fail(received: string): never {
  throw new Error(`the connection closed without a whole answer: ${JSON.stringify(received)}`);
}

function firstAnswer(text: string): { answer: RawAnswer; length: number } | null {
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
  return { answer: { status: Number(line.split(' ')[1]), headers, body: text.slice(headEnd + 4, length) }, length };
}
