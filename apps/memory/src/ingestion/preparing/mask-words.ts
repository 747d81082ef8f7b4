import { storable } from '@cairn/documents';
import { type DlpPolicy, maskText } from '@cairn/screening';

/** A short text as it may be stored. */
export function maskWords({ text, policy }: { text: string; policy: DlpPolicy }): Promise<string> {
  return maskText(storable(text), policy);
}
