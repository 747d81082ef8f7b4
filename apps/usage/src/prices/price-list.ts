import { createHash } from 'node:crypto';
import { CHARGES, type ChargeName } from '@cairn/contracts';
import { canonicalJson } from '@cairn/postgres';
import { z } from 'zod';

const NANO_USD_MAX = 1_000_000_000;
const PICO_PER_NANO = 1_000;

/** Nano-USD a token, to a thousandth: what is $0.0375 a million tokens is 37.5. */
const tokenPrice = z
  .number()
  .min(0)
  .max(NANO_USD_MAX)
  .refine((value) => Number.isInteger(Math.round(value * PICO_PER_NANO * 1e3) / 1e3), 'has more than three decimals');

const Rates = z.strictObject({
  input: tokenPrice,
  output: tokenPrice,
  /** Default: as `input`. */
  cached_input: tokenPrice.optional(),
  /** Default: as `input`. */
  cache_write: tokenPrice.optional(),
});

const ModelPrice = Rates.extend({
  /** Rates of a call whose input is longer than that. */
  long: Rates.extend({ above_input_tokens: z.number().int().positive() }).optional(),
});

const credits = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((value) => Number.isInteger(Math.round(value * 1e9) / 1e3), 'has more than six decimals');

const Version = z.strictObject({
  version: z.string().min(1).max(64),
  /** A date is its midnight in UTC. */
  effective_from: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
  charges: z.partialRecord(z.enum(CHARGES), credits).default({}),
  /** What model calls outside of charged runs cost in credits. */
  credits_per_usd: z.number().int().min(0).max(1_000_000).optional(),
  /** `provider/model`, or `provider/*` for all others of a provider; null removes a price. */
  models: z.record(z.string().regex(/^[^/\s]+\/\S+$/, 'must be provider/model'), ModelPrice.nullable()).default({}),
});

const PriceListFile = z.strictObject({ versions: z.array(Version).min(1) }).superRefine((list, context) => {
  const problem = (index: number, field: string, message: string) =>
    context.addIssue({ code: 'custom', path: ['versions', index, field], message });
  list.versions.forEach((version, index) => {
    const before = list.versions[index - 1];
    if (before !== undefined && Date.parse(version.effective_from) <= Date.parse(before.effective_from))
      problem(index, 'effective_from', 'must be after that of the version before');
    if (list.versions.some((other, at) => at < index && other.version === version.version))
      problem(index, 'version', 'is the name of an earlier version');
  });
  const first = list.versions[0];
  if (first === undefined) return;
  for (const charge of CHARGES) {
    if (first.charges[charge] === undefined) problem(0, 'charges', `must price ${charge}`);
  }
  if (first.credits_per_usd === undefined) problem(0, 'credits_per_usd', 'is required in the first version');
});

type Rates = z.output<typeof Rates>;
type ModelPrice = z.output<typeof ModelPrice>;

/** The prices in force from a time on: those of the version, and for the rest those of earlier versions. */
interface PriceVersion {
  version: string;
  effectiveFromMs: number;
  /** Millionths of a credit. */
  charges: Readonly<Record<ChargeName, number>>;
  creditsPerUsd: number;
  models: ReadonlyMap<string, TokenRates>;
  /** Of the version as written in the file. */
  sha256: Buffer;
}

/** Pico-USD a token. */
export interface Rate {
  input: bigint;
  output: bigint;
  cachedInput: bigint;
  cacheWrite: bigint;
}

interface TokenRates extends Rate {
  long: (Rate & { aboveInputTokens: number }) | null;
}

/** Versions in the order in which they take effect. */
export type PriceList = readonly PriceVersion[];

/** Parses a price list; the error lists every problem. */
export function parsePriceList(text: string, file: string): PriceList {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON`, { cause: error });
  }
  const parsed = PriceListFile.safeParse(json);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const list: PriceVersion[] = [];
  for (const version of parsed.data.versions) list.push(resolved(version, list.at(-1)));
  return list;
}

function resolved(version: z.output<typeof Version>, before: PriceVersion | undefined): PriceVersion {
  const models = new Map(before?.models);
  for (const [name, price] of Object.entries(version.models)) {
    if (price === null) models.delete(name);
    else models.set(name, { ...rateOf(price), long: longRateOf(price) });
  }
  const charges = { ...before?.charges } as Record<ChargeName, number>;
  for (const charge of CHARGES) {
    const price = version.charges[charge];
    if (price !== undefined) charges[charge] = Math.round(price * 1e6);
  }
  return {
    version: version.version,
    effectiveFromMs: Date.parse(version.effective_from),
    charges,
    creditsPerUsd: version.credits_per_usd ?? before!.creditsPerUsd,
    models,
    sha256: createHash('sha256').update(canonicalJson(version)).digest(),
  };
}

function rateOf(price: Rates): Rate {
  return {
    input: pico(price.input),
    output: pico(price.output),
    cachedInput: pico(price.cached_input ?? price.input),
    cacheWrite: pico(price.cache_write ?? price.input),
  };
}

function longRateOf({ long }: ModelPrice): TokenRates['long'] {
  return long === undefined ? null : { ...rateOf(long), aboveInputTokens: long.above_input_tokens };
}

function pico(nanoUsd: number): bigint {
  return BigInt(Math.round(nanoUsd * PICO_PER_NANO));
}

/** The version in force at a time; null before the first one. */
export function versionAt(list: PriceList, atMs: number): PriceVersion | null {
  return list.findLast((version) => version.effectiveFromMs <= atMs) ?? null;
}

/** Providers name snapshots of a model after their date; one without a price of its own has the model's. */
const SNAPSHOT = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/** The rates of a model, by its name, its name without the snapshot's date, or those of all of its provider. */
export function ratesOf(version: PriceVersion, provider: string, model: string): TokenRates | null {
  const { models } = version;
  return (
    models.get(`${provider}/${model}`) ??
    models.get(`${provider}/${model.replace(SNAPSHOT, '')}`) ??
    models.get(`${provider}/*`) ??
    null
  );
}
