import { ByteWriter } from './bytes.ts';
import { PostingWriter, weightedFrequency, writeCounts } from './posting-writer.ts';
import { weightsKey, type FieldWeights } from './scoring.ts';
import {
  BLOCK_POSTINGS,
  DOC_ORDINAL_BYTES,
  FORMAT_VERSION,
  STREAM,
  TIME_BYTES,
  type FieldCounts,
  type SegmentHeader,
  type StreamKind,
} from './segment-format.ts';
import { encodeHeader } from './segment-header.ts';
import { SortedTableWriter, type StreamSink } from './sorted-table.ts';

/** One chunk of a segment, as the columns store it. */
interface ChunkColumns {
  chunkId: string;
  docOrdinal: number;
  vaultId: string;
  language: string;
  counts: FieldCounts;
  occurredAtMs: number | null;
  createdAtMs: number;
}

/**
 * Writes one segment: all document ids in order, then all chunks in order, then term by term in order with its
 * postings by chunk ordinal, then the header. Keeps lengths and indexes in memory, nothing else.
 */
export class SegmentWriter {
  private readonly sink: StreamSink;
  private readonly weights: FieldWeights;
  private readonly analyserVersion: number;
  private readonly streamBytes: number[] = [];
  private readonly docIds: SortedTableWriter;
  private readonly chunkIds: SortedTableWriter;
  private readonly terms: SortedTableWriter;
  private readonly postings: PostingWriter;
  private readonly vaults = new Map<string, number>();
  /** Chunks by language; a chunk's language is stored as its place here. */
  private readonly languages = new Map<string, { place: number; chunks: number }>();
  private readonly scratch = new ByteWriter();
  private readonly docOrdinal = Buffer.alloc(DOC_ORDINAL_BYTES);
  private readonly timeBytes = Buffer.alloc(TIME_BYTES);
  private readonly lengths: number[] = [];
  private readonly totals: FieldCounts = { title: 0, context: 0, body: 0 };

  constructor(target: StreamSink, weights: FieldWeights, analyserVersion: number) {
    this.sink = {
      append: (kind, bytes) => {
        this.streamBytes[kind] = (this.streamBytes[kind] ?? 0) + bytes.length;
        target.append(kind, bytes);
      },
    };
    this.weights = weights;
    this.analyserVersion = analyserVersion;
    this.docIds = new SortedTableWriter(this.sink, STREAM.docIds, STREAM.docIdIndex);
    this.chunkIds = new SortedTableWriter(this.sink, STREAM.chunkIds, STREAM.chunkIdIndex);
    this.terms = new SortedTableWriter(this.sink, STREAM.terms, STREAM.termIndex, 3);
    this.postings = new PostingWriter(this.sink, weights);
  }

  docId(docId: string): void {
    this.docIds.add(docId);
  }

  /** Assigns the next ordinal to the chunk. */
  chunk(chunk: ChunkColumns): void {
    let vault = this.vaults.get(chunk.vaultId);
    if (vault === undefined) {
      vault = this.vaults.size;
      this.vaults.set(chunk.vaultId, vault);
    }
    this.chunkIds.add(chunk.chunkId);
    this.docOrdinal.writeUInt32LE(chunk.docOrdinal);
    this.sink.append(STREAM.docs, this.docOrdinal);
    this.number(STREAM.vaults, vault);
    this.language(chunk.language);
    this.time(STREAM.occurred, chunk.occurredAtMs);
    this.time(STREAM.created, chunk.createdAtMs);
    this.scratch.clear();
    writeCounts(this.scratch, chunk.counts);
    this.sink.append(STREAM.lengths, this.scratch.view());
    this.lengths.push(weightedFrequency(chunk.counts, this.weights));
    this.totals.title += chunk.counts.title;
    this.totals.context += chunk.counts.context;
    this.totals.body += chunk.counts.body;
  }

  private language(code: string): void {
    const known = this.languages.get(code) ?? { place: this.languages.size, chunks: 0 };
    known.chunks++;
    this.languages.set(code, known);
    this.number(STREAM.languages, known.place);
  }

  private number(kind: StreamKind, value: number): void {
    this.scratch.clear();
    this.scratch.varint(value);
    this.sink.append(kind, this.scratch.view());
  }

  private time(kind: StreamKind, ms: number | null): void {
    this.timeBytes.writeDoubleLE(ms ?? NaN);
    this.sink.append(kind, this.timeBytes);
  }

  posting(ordinal: number, counts: FieldCounts, positions: Uint8Array): void {
    this.postings.posting(ordinal, counts, this.lengths[ordinal]!, positions);
  }

  /** Ends the list of postings since the last term: they are `term`'s. */
  term(term: string): void {
    const { df, postingBytes, skipBytes, positionBytes } = this.postings.endList();
    const payload =
      df > BLOCK_POSTINGS ? [df, postingBytes, positionBytes, skipBytes] : [df, postingBytes, positionBytes];
    this.terms.add(term, payload, [postingBytes, positionBytes, skipBytes]);
  }

  finish(): SegmentHeader {
    this.docIds.finish();
    this.chunkIds.finish();
    this.terms.finish();
    const header: SegmentHeader = {
      formatVersion: FORMAT_VERSION,
      analyserVersion: this.analyserVersion,
      chunkCount: this.chunkIds.count,
      docCount: this.docIds.count,
      termCount: this.terms.count,
      titleTokens: this.totals.title,
      contextTokens: this.totals.context,
      bodyTokens: this.totals.body,
      weightsKey: weightsKey(this.weights),
      vaultIds: [...this.vaults.keys()],
      languages: new Map([...this.languages].map(([code, { chunks }]) => [code, chunks])),
      streamBytes: [...this.streamBytes],
    };
    this.sink.append(STREAM.header, encodeHeader(header));
    return header;
  }
}
