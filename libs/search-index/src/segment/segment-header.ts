import { ByteReader, ByteWriter } from './bytes.ts';
import { FORMAT_VERSION, STREAM_COUNT, type SegmentHeader } from './segment-format.ts';

export function encodeHeader(header: SegmentHeader): Buffer {
  const out = new ByteWriter();
  out.varint(header.formatVersion);
  out.varint(header.analyserVersion);
  out.varint(header.chunkCount);
  out.varint(header.docCount);
  out.varint(header.termCount);
  out.varint(header.titleTokens);
  out.varint(header.contextTokens);
  out.varint(header.bodyTokens);
  out.text(header.weightsKey);
  out.varint(header.vaultIds.length);
  for (const vaultId of header.vaultIds) out.text(vaultId);
  out.varint(header.languages.size);
  for (const [language, count] of header.languages) {
    out.text(language);
    out.varint(count);
  }
  for (let kind = 1; kind <= STREAM_COUNT; kind++) out.varint(header.streamBytes[kind] ?? 0);
  return out.copy();
}

/** Throws when the segment was written in a format this process does not know. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const input = new ByteReader(bytes);
  const formatVersion = input.varint();
  if (formatVersion !== FORMAT_VERSION)
    throw new Error(`index segment has format ${formatVersion}; this process reads ${FORMAT_VERSION}`);
  const [analyserVersion, chunkCount, docCount, termCount] = [
    input.varint(),
    input.varint(),
    input.varint(),
    input.varint(),
  ];
  const [titleTokens, contextTokens, bodyTokens] = [input.varint(), input.varint(), input.varint()];
  const weightsKey = input.text();
  const vaultIds = Array.from({ length: input.varint() }, () => input.text());
  const languages = new Map(Array.from({ length: input.varint() }, () => [input.text(), input.varint()] as const));
  const streamBytes = [0];
  for (let kind = 1; kind <= STREAM_COUNT; kind++) streamBytes.push(input.varint());
  return {
    formatVersion,
    analyserVersion,
    chunkCount,
    docCount,
    termCount,
    titleTokens,
    contextTokens,
    bodyTokens,
    weightsKey,
    vaultIds,
    languages,
    streamBytes,
  };
}

/** `en:120,de:7`, as the manifest row has it. */
export function formatLanguages(languages: ReadonlyMap<string, number>): string {
  return [...languages].map(([language, count]) => `${language}:${count}`).join(',');
}

export function parseLanguages(text: string): [language: string, count: number][] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    const [language = '', count = '0'] = part.split(':');
    return [language, Number(count)];
  });
}
