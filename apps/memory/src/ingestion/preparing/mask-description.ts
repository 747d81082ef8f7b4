import { type PutText, shorten, storable } from '@cairn/documents';
import { type DlpPolicy, maskTexts, type ScreenedText } from '@cairn/screening';
import type { MaskCount } from './prepared-document.ts';
import { putMetadata } from './put-metadata.ts';

export interface DocumentDescription {
  title?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface MaskedDescription extends DocumentDescription {
  masked: MaskCount[];
}

const UNTITLED = 'Untitled';

/** What is said about a document that was read before, screened together as that of a new one is. */
export async function maskDescription({
  about,
  policy,
}: {
  about: DocumentDescription;
  policy: DlpPolicy;
}): Promise<MaskedDescription> {
  const { title, metadata } = about;
  const texts: ScreenedText[] = [];
  const put: PutText = (text, values = []) => texts.push({ text, values }) - 1;
  const titlePlace = title === undefined ? null : put(shorten(storable(title)));
  const read = metadata === undefined ? null : putMetadata(metadata, put);
  const { segments, counts } = await maskTexts(texts, policy);
  return {
    title: titlePlace === null ? undefined : segments[titlePlace]!.trim() || UNTITLED,
    metadata: read?.((place) => segments[place]!),
    masked: counts,
  };
}
