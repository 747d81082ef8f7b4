import { findAccounts, findCards, findNationalIds } from './accounts.ts';
import { findEmails, findPhones } from './contact.ts';
import { type DlpPolicy, type Finding, type FindingKind, PERSONAL_KINDS, SECRET_KINDS } from './finding.ts';
import { findAddresses, findBirthDates } from './personal.ts';
import { plainView } from './plain-view.ts';
import { findKnownTokens, findPasswords, findSecretPatterns } from './secrets.ts';

/** Where two findings overlap, what comes first here is masked, together with all that it touches. */
const RANK = new Map<FindingKind, number>([...SECRET_KINDS, ...PERSONAL_KINDS].map((kind, rank) => [kind, rank]));

/** Everything in the text that the policy masks, in order and without overlaps. */
export async function screenText(text: string, policy: DlpPolicy): Promise<Finding[]> {
  if (policy === 'off') return [];
  const view = plainView(text);
  const found = await findSecrets(view.text);
  if (policy === 'pii') found.push(...findPersonal(view.text));
  const placed = found.map(({ kind, start, end }) => ({
    kind,
    start: view.originalOf(start),
    end: view.originalOf(end),
  }));
  return withoutOverlaps(placed);
}

async function findSecrets(text: string): Promise<Finding[]> {
  return [
    ...(await findKnownTokens(text)),
    ...findSecretPatterns(text),
    ...findPasswords(text),
    ...findCards(text),
    ...findAccounts(text),
    ...findNationalIds(text),
  ];
}

function findPersonal(text: string): Finding[] {
  return [...findEmails(text), ...findPhones(text), ...findAddresses(text), ...findBirthDates(text)];
}

/** Findings that touch become one of the kind that ranks first, so that no part of either is left. */
function withoutOverlaps(findings: Finding[]): Finding[] {
  const sorted = findings.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Finding[] = [];
  for (const finding of sorted) {
    const last = kept.at(-1);
    if (last === undefined || finding.start >= last.end) kept.push({ ...finding });
    else {
      last.end = Math.max(last.end, finding.end);
      if (RANK.get(finding.kind)! < RANK.get(last.kind)!) last.kind = finding.kind;
    }
  }
  return kept;
}
