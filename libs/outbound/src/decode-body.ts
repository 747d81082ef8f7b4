import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';
import { tooLarge } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

/** What we ask for and can undo. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/** A body in more layers than this is a trick, not a saving. */
const LAYERS_MAX = 2;

type Decode = (body: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map(
  Object.entries<Decode>({
    gzip: promisify(gunzip),
    'x-gzip': promisify(gunzip),
    deflate: promisify(inflate),
    br: promisify(brotliDecompress),
    zstd: promisify(zstdDecompress),
  }),
);

/**
 * Undoes the content coding. What would become longer than `maxBytes` throws `body_too_large` before it is there: a
 * decompression bomb costs no more memory than an honest answer.
 */
export async function decodeBody(url: URL, encoding: string, body: Buffer, maxBytes: number): Promise<Buffer> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (layers.length > LAYERS_MAX)
    throw new OutboundError('encoding_refused', `${url.host} packed its answer too often`);
  let decoded = body;
  for (const layer of layers.toReversed()) {
    const decode = DECODERS.get(layer);
    if (decode === undefined)
      throw new OutboundError('encoding_refused', `${url.host} packed its answer in an unknown way`);
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(url, maxBytes);
      throw new OutboundError('answer_malformed', `${url.host} packed its answer in a broken way`, error);
    }
  }
  return decoded;
}
