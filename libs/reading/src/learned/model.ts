import { brotliDecompressSync } from 'node:zlib';
import { Lexicon, type LexiconData } from './lexicon.ts';
import { DenseModel, type Scorer, type SelectiveScorer, SparseModel, type Weights } from './linear-model.ts';

/** Everything learned, ready to use. It is not changed by reading, so readers of one thread share it. */
export interface ReadingModel {
  tags: readonly string[];
  labels: readonly string[];
  arcs: ReadonlyMap<number, readonly number[]>;
  lexicon: Lexicon;
  tagger: Scorer;
  parser: Scorer;
  labeller: SelectiveScorer;
  detector: Scorer;
  typer: Scorer;
}

/** What the file begins with: how long its parts are, and what is small. */
export interface ModelHeader {
  format: 1;
  tags: string[];
  labels: string[];
  arcs: [number, number[]][];
  lexicon: LexiconData;
  tables: { name: TableName; bits: number; classes: number; gaps: number; values: number }[];
}

export const TABLE_NAMES = ['tagger', 'parser', 'labeller', 'detector', 'typer'] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** Reads the model's file: a length, a header in JSON, and for each table the gaps between its weights and these. */
export function loadModel(compressed: Uint8Array): ReadingModel {
  const bytes = brotliDecompressSync(compressed);
  const headerLength = bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.toString('utf8', 4, 4 + headerLength)) as ModelHeader;
  if (header.format !== 1) throw new Error('the reading model has a format that this version does not know');
  let at = 4 + headerLength;
  const weights = new Map<TableName, Weights>();
  for (const table of header.tables) {
    const gaps = bytes.subarray(at, at + table.gaps);
    const values = bytes.subarray(at + table.gaps, at + table.gaps + table.values);
    weights.set(table.name, decodeTable(gaps, values, table.bits, table.classes));
    at += table.gaps + table.values;
  }
  return modelOf(header, weights);
}

export function modelOf(
  header: Pick<ModelHeader, 'tags' | 'labels' | 'arcs' | 'lexicon'>,
  weights: ReadonlyMap<TableName, Weights>,
): ReadingModel {
  return {
    tags: header.tags,
    labels: header.labels,
    arcs: new Map(header.arcs),
    lexicon: new Lexicon(header.lexicon),
    tagger: new SparseModel(weights.get('tagger')!),
    parser: new DenseModel(weights.get('parser')!),
    labeller: new DenseModel(weights.get('labeller')!),
    detector: new DenseModel(weights.get('detector')!),
    typer: new DenseModel(weights.get('typer')!),
  };
}

/** Weights that are not nought: the distance from the one before, in sevens of bits, and the weight. */
export function encodeTable({ values }: Weights): { gaps: Buffer; values: Buffer } {
  const gaps: number[] = [];
  const kept: number[] = [];
  let last = -1;
  for (let i = 0; i < values.length; i++) {
    if (values[i] === 0) continue;
    let gap = i - last - 1;
    last = i;
    while (gap > 127) {
      gaps.push((gap & 127) | 128);
      gap >>>= 7;
    }
    gaps.push(gap);
    kept.push(values[i]! & 255);
  }
  return { gaps: Buffer.from(gaps), values: Buffer.from(kept) };
}

function decodeTable(gaps: Buffer, kept: Buffer, bits: number, classes: number): Weights {
  const values = new Int8Array(2 ** bits * classes);
  let at = 0;
  let read = 0;
  for (let k = 0; k < kept.length; k++) {
    let gap = 0;
    let shift = 0;
    let byte = gaps[read++]!;
    while (byte > 127) {
      gap |= (byte & 127) << shift;
      shift += 7;
      byte = gaps[read++]!;
    }
    at += gap | (byte << shift);
    values[at++] = (kept[k]! << 24) >> 24;
  }
  return { bits, classes, values };
}
