import { statementsOf } from '@cairn/text';
import { stemsOf } from '../text/words.ts';
import { type Claim, claimOf, type Conflict, conflictsAmong } from './conflicts.ts';
import type { FindingRecord } from '../sources/finding-store.ts';
import { isInformative, overlap, type ReadableSource } from './find-statements.ts';

/** Least share of a finding's words that a statement must have to be compared with it. */
const WORTH_COMPARING = 0.5;
/** Most statements that one finding is compared with. */
const COMPARED_MAX = 500;

/** A claim and its position in its source. */
interface PlacedClaim extends Claim {
  start: number;
  quote: string;
  topic: string;
}

export type PlacedConflict = Conflict & { a: PlacedClaim; b: PlacedClaim };

/** Conflicts between findings and any statement of the sources, including other findings. */
export function conflictsWith(
  findings: readonly FindingRecord[],
  sources: readonly ReadableSource[],
): PlacedConflict[] {
  const mine = findings.map((finding): PlacedClaim => {
    const { finding_id, source_id, quote, start_at, topic } = finding;
    return { ...claimOf(finding_id, source_id, quote), start: start_at, quote, topic };
  });
  const near = statementsNear(mine, sources);
  const seen = new Set<string>();
  const conflicts: PlacedConflict[] = [];
  for (const claim of mine) {
    for (const other of near.get(claim) ?? []) {
      const [found] = conflictsAmong([claim, other]);
      const pair = [placeOf(claim), placeOf(other)].sort().join(' ');
      if (found === undefined || seen.has(pair)) continue;
      seen.add(pair);
      conflicts.push({ ...found, a: claim, b: other });
    }
  }
  return conflicts;
}

/** For each claim the statements that share enough of its words, except itself. */
function statementsNear(
  claims: readonly PlacedClaim[],
  sources: readonly ReadableSource[],
): Map<PlacedClaim, PlacedClaim[]> {
  const byStem = new Map<string, PlacedClaim[]>();
  for (const claim of claims) for (const stem of claim.about) byStem.set(stem, [...(byStem.get(stem) ?? []), claim]);
  const near = new Map<PlacedClaim, PlacedClaim[]>();
  for (const source of sources) {
    for (const statement of statementsOf(source.body)) {
      if (!isInformative(statement)) continue;
      const stems = new Set(stemsOf(statement.text));
      for (const claim of new Set([...stems].flatMap((stem) => byStem.get(stem) ?? []))) {
        const found = near.get(claim) ?? [];
        const own = source.source_id === claim.sourceId && statement.start === claim.start;
        if (own || found.length >= COMPARED_MAX || overlap(claim.about, stems) < WORTH_COMPARING) continue;
        const id = `${source.source_id}/${statement.start}`;
        const other = claimOf(id, source.source_id, statement.text);
        found.push({ ...other, start: statement.start, quote: statement.text, topic: claim.topic });
        near.set(claim, found);
      }
    }
  }
  return near;
}

export function placeOf(claim: PlacedClaim): string {
  return `${claim.sourceId}/${claim.start}`;
}
