import { readCredits, readLlmUsage } from '@cairn/contracts';
import { answer, type BoundOperation } from '@cairn/service-kit';
import { readBalance, type ReadCreditsParts } from './read-credits.ts';
import { readUsage } from './read-llm-usage.ts';

/** The operations this service answers. */
export function operations(parts: ReadCreditsParts): BoundOperation[] {
  return [
    answer(readLlmUsage, (call) => readUsage(parts, call)),
    answer(readCredits, (call) => readBalance(parts, call)),
  ];
}
