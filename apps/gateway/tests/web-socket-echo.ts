import { createHash } from 'node:crypto';
import type { UpgradeListener } from './upstream.ts';

const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CLOSE = 0x8;

export const HANDSHAKE_HEADERS = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The head with which a service agrees to become a WebSocket (RFC 6455, 4.2.2). */
export function switchingProtocols(key: string | undefined, more = ''): string {
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n${more}\r\n`;
}

/** A WebSocket service that says everything back. Frames of up to 64 KiB. */
export const echoWebSocket: UpgradeListener = (request, socket, head) => {
  socket.on('error', () => undefined);
  // Node leaves the half of an upgraded connection open that the other side did not close.
  socket.once('end', () => socket.end());
  socket.write(switchingProtocols(request.headers['sec-websocket-key']));
  let bytes = head;
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let frame = firstFrame(bytes); frame !== null; frame = firstFrame(bytes)) {
      bytes = bytes.subarray(frame.length);
      socket.write(frameOf(frame.opcode, frame.payload));
      if (frame.opcode === CLOSE) socket.end();
    }
  });
};

function firstFrame(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (bytes.length < 6) return null;
  const short = bytes[1]! & 0x7f;
  const maskAt = short === 126 ? 4 : 2;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  const length = maskAt + 4 + size;
  if (bytes.length < length) return null;
  const mask = bytes.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(bytes.subarray(maskAt + 4, length).map((byte, index) => byte ^ mask[index % 4]!));
  return { opcode: bytes[0]! & 0x0f, payload, length };
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  const size = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), payload]);
}
