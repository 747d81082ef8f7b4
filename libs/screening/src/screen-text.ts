import { findAccounts, findNationalIds } from './accounts.ts';
import { findCards } from './cards.ts';
import { findEmails, findPhones } from './contact.ts';
import { type DlpPolicy, type Finding, type FindingKind, PERSONAL_KINDS, SECRET_KINDS } from './finding.ts';
import { findAddresses, findBirthDates } from './personal.ts';
import { encodedSpans } from './encoded.ts';
import { findHexKeys, findLabelled } from './labels.ts';
import { type NormalizedText, normalizeText } from './normalized-text.ts';
import { findNamedValues, type NamedValue } from './named-values.ts';
import { findStatedSecrets } from './stated-secrets.ts';
import { findKnownTokens, findPasswords, findSecretPatterns } from './secrets.ts';
import { joinedAddresses, joinedTokens, withoutMarks } from './views.ts';

/** Where two findings overlap, what comes first here is masked, together with all that it touches. */
const RANK = new Map<FindingKind, number>([...SECRET_KINDS, ...PERSONAL_KINDS].map((kind, rank) => [kind, rank]));

/** Encoded text may hold encoded text; deeper than this nobody looks. */
const DECODE_DEPTH_MAX = 2;

interface Context {
  /** What the document calls values in the text. */
  values?: readonly NamedValue[];
  /** How often the text was decoded. */
  depth?: number;
}

/** Everything in the text that the policy masks, in order and without overlaps. */
export async function screenText(
  text: string,
  policy: DlpPolicy,
  { values = [], depth = 0 }: Context = {},
): Promise<Finding[]> {
  if (policy === 'off') return [];
  const view = normalizeText(text);
  const plain = await findIn(view, policy);
  const unmarked = withoutMarks(view);
  const found = [
    ...findNamedValues(text, values, policy),
    ...plain,
    ...(unmarked === null ? [] : await findIn(unmarked, policy)),
  ];
  found.push(...outside(await findBroken(view, policy), found));
  if (depth < DECODE_DEPTH_MAX) found.push(...outside(await findEncoded(view, policy, depth), found));
  return withoutOverlaps(found);
}

async function findIn(view: NormalizedText, policy: DlpPolicy): Promise<Finding[]> {
  const found = await findSecrets(view.text);
  if (policy === 'pii') found.push(...findPersonal(view.text));
  return found.map((finding) => placed(finding, view));
}

/** Tokens and e-mail addresses that go over the end of a line. */
async function findBroken(view: NormalizedText, policy: DlpPolicy): Promise<Finding[]> {
  const found: Finding[] = [];
  const tokens = joinedTokens(view);
  if (tokens !== null) {
    const joined = [...(await findKnownTokens(tokens.text)), ...findSecretPatterns(tokens.text)];
    found.push(...joined.map((finding) => placed(finding, tokens)));
  }
  const addresses = policy === 'pii' ? joinedAddresses(view) : null;
  if (addresses !== null) found.push(...findEmails(addresses.text).map((finding) => placed(finding, addresses)));
  return found;
}

/** Runs that decode to text in which something is found; the whole run is masked. */
async function findEncoded(view: NormalizedText, policy: DlpPolicy, depth: number): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { start, end, decoded } of encodedSpans(view.text)) {
    const [first] = await screenText(decoded, policy, { depth: depth + 1 });
    if (first !== undefined) found.push(placed({ kind: first.kind, start, end }, view));
  }
  return found;
}

function placed({ kind, start, end }: Finding, view: NormalizedText): Finding {
  return { kind, start: view.originalOf(start), end: view.originalOf(end) };
}

/** What touches nothing that was found by a plainer reading: that one knows better where it ends. */
function outside(further: readonly Finding[], found: readonly Finding[]): Finding[] {
  return further.filter(({ start, end }) => !found.some((known) => known.start < end && start < known.end));
}

async function findSecrets(text: string): Promise<Finding[]> {
  return [
    ...(await findKnownTokens(text)),
    ...findSecretPatterns(text),
    ...findPasswords(text),
    ...findStatedSecrets(text),
    ...findLabelled(text),
    ...findHexKeys(text),
    ...findCards(text),
    ...findAccounts(text),
    ...findNationalIds(text),
  ];
}

function findPersonal(text: string): Finding[] {
  return [...findEmails(text), ...findPhones(text), ...findAddresses(text), ...findBirthDates(text)];
}

/** Findings that touch become one of the kind that ranks first, so that no part of either is left. */
export function withoutOverlaps(findings: Finding[]): Finding[] {
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
