import { constants, createDeflate, type Deflate } from 'node:zlib';
import { once } from 'node:events';

const ZEROS = Buffer.alloc(1_048_576);
const INFLATED_MIB = 1_536;
const BOUNDARIES = 3_000;
const COMMENTS = 4_000;

export interface HostileFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** Files that are small to send and expensive to read. */
export async function hostileFiles(): Promise<HostileFile[]> {
  return [
    { name: 'bomb.pdf', type: 'application/pdf', bytes: await flateBomb() },
    { name: 'boundaries.eml', type: 'message/rfc822', bytes: nestedMail() },
    { name: 'comments.html', type: 'text/html', bytes: Buffer.from(`${'<!---->'.repeat(COMMENTS)}<p`) },
    { name: 'nested.json', type: 'application/json', bytes: Buffer.from('['.repeat(200_000)) },
    { name: 'deep.html', type: 'text/html', bytes: Buffer.from('<div>'.repeat(150_000)) },
    { name: 'wide.csv', type: 'text/csv', bytes: Buffer.from(`${'a,'.repeat(200_000)}\n`.repeat(4)) },
    { name: 'blanks.md', type: 'text/markdown', bytes: Buffer.from(`# a${' \t'.repeat(100_000)}x\n`) },
  ];
}

async function flateBomb(): Promise<Buffer> {
  const stream = await deflated(INFLATED_MIB);
  const head = Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>endobj',
      `4 0 obj<</Length ${stream.length}/Filter/FlateDecode>>stream\n`,
    ].join('\n'),
  );
  return Buffer.concat([head, stream, Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF')]);
}

async function deflated(mebibytes: number): Promise<Buffer> {
  const deflate: Deflate = createDeflate({ level: constants.Z_BEST_COMPRESSION });
  const pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  for (let index = 0; index < mebibytes; index += 1) {
    if (!deflate.write(ZEROS)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  return Buffer.concat(pieces);
}

function nestedMail(): Buffer {
  const lines = ['From: a@example.com', 'Subject: nested', 'MIME-Version: 1.0'];
  for (let depth = 0; depth < BOUNDARIES; depth += 1) {
    lines.push(`Content-Type: multipart/mixed; boundary="b${depth}"`, '', `--b${depth}`);
  }
  lines.push('Content-Type: text/plain', '', 'x'.repeat(500_000));
  return Buffer.from(lines.join('\r\n'));
}
