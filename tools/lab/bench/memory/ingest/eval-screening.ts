import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Finding, type FindingKind, screenText } from '@cairn/screening';

/** Which of our kinds each labelled type should become. PERSON and IP_ADDRESS are nothing that a policy masks. */
const KINDS: Readonly<Record<string, readonly FindingKind[]>> = {
  EMAIL: ['email'],
  PHONE: ['phone'],
  ADDRESS: ['address'],
  DATE_OF_BIRTH: ['birth_date'],
  CREDIT_CARD: ['credit_card'],
  IBAN: ['iban'],
  US_SSN: ['national_id'],
  NL_BSN: ['national_id'],
  PASSWORD: ['password'],
  PRIVATE_KEY: ['private_key'],
  DB_URL: ['connection_string'],
  JWT: ['token', 'api_key'],
  AWS_ACCESS_KEY: ['api_key'],
  STRIPE_KEY: ['api_key'],
  GITHUB_TOKEN: ['api_key'],
  SLACK_TOKEN: ['api_key'],
};

interface Labelled {
  text: string;
  entities: { start: number; end: number; type: string }[];
}

export interface ScreeningScores {
  texts: number;
  precision: number;
  recall: number;
  f1: number;
  /** Recall and number of labelled spans, by type. */
  byType: { type: string; spans: number; recall: number }[];
  /** Processor time, that of compiling and collecting garbage included. */
  microsecondsPerText: number;
}

/** Labelled spans against findings under `pii`: a finding of the right kind that overlaps a span is right, once. */
export async function evaluateScreening(folder: string): Promise<ScreeningScores> {
  const lines = gunzipSync(await readFile(join(folder, 'dev.jsonl.gz')))
    .toString('utf8')
    .trim()
    .split('\n');
  const texts = lines.map((line) => JSON.parse(line) as Labelled);
  const types = new Map<string, { spans: number; found: number }>();
  let [right, wrong, missed, microseconds] = [0, 0, 0, 0];
  for (const { text, entities } of texts) {
    const before = process.cpuUsage();
    const findings = await screenText(text, 'pii');
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
    const left = new Set(findings);
    for (const entity of entities) {
      const kinds = KINDS[entity.type];
      if (kinds === undefined) continue;
      const seen = types.get(entity.type) ?? { spans: 0, found: 0 };
      types.set(entity.type, seen);
      seen.spans += 1;
      const hit = [...left].find((finding) => kinds.includes(finding.kind) && overlap(finding, entity));
      if (hit === undefined) {
        missed += 1;
        continue;
      }
      left.delete(hit);
      seen.found += 1;
      right += 1;
    }
    wrong += left.size;
  }
  return {
    texts: texts.length,
    precision: right / (right + wrong),
    recall: right / (right + missed),
    f1: (2 * right) / (2 * right + wrong + missed),
    byType: [...types].map(([type, { spans, found }]) => ({ type, spans, recall: found / spans })),
    microsecondsPerText: microseconds / texts.length,
  };
}

function overlap(finding: Finding, entity: { start: number; end: number }): boolean {
  return finding.start < entity.end && entity.start < finding.end;
}
