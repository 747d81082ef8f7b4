import { sourceScopeOf, type SourceScope } from '../request/source-phrases.ts';
import type { SEARCH_MODES } from '@cairn/contracts';

export type SearchMode = (typeof SEARCH_MODES)[number];
export type SourceKind = 'memory' | 'web';

/** Where a run looks and how far it goes. Part of its input, so that a take-over uses the same. */
export interface WebOptions {
  seeds: string[];
  sources: SourceKind[];
  max_pages: number | null;
  max_depth: number | null;
  max_seconds: number | null;
  max_tokens: number | null;
  max_cost_usd: number | null;
  [name: string]: unknown;
}

export interface ConfiguredRequest {
  prompt: string;
  config?:
    | {
        seeds?: string[] | undefined;
        sources?: SourceKind[] | undefined;
        max_pages?: number | undefined;
        max_depth?: number | undefined;
        max_seconds?: number | undefined;
        max_tokens?: number | undefined;
        max_cost_usd?: number | undefined;
      }
    | undefined;
}

const SEEDS_MAX = 20;

export function webOptions({ prompt, config = {} }: ConfiguredRequest): WebOptions {
  const seeds = [...new Set([...(config.seeds ?? []), ...addressesIn(prompt)])].slice(0, SEEDS_MAX);
  const isNamed = seeds.length > 0 || config.sources !== undefined;
  return {
    seeds,
    sources: sourcesWithin(sourceScopeOf(prompt, { named: isNamed }), config.sources ?? ['memory', 'web']),
    max_pages: config.max_pages ?? null,
    max_depth: config.max_depth ?? null,
    max_seconds: config.max_seconds ?? null,
    max_tokens: config.max_tokens ?? null,
    max_cost_usd: config.max_cost_usd ?? null,
  };
}

/** The kinds of sources that a scope leaves. One's own documents are always among one's own sources. */
function sourcesWithin(scope: SourceScope, sources: readonly SourceKind[]): SourceKind[] {
  if (scope === 'own') return ['memory'];
  return sources.filter((kind) => scope === 'any' || kind === 'web');
}

/** URLs in a prompt: with a scheme, or bare hosts such as `example.org/docs`. */
export function addressesIn(prompt: string): string[] {
  const found: string[] = [];
  for (const match of prompt.matchAll(
    /https?:\/\/[^\s<>"'`|\\^{}]+|(?<![a-z0-9.-])(?:[a-z0-9-]{1,63}\.){1,20}[a-z]{2,63}(?:\/[^\s<>"'`]*)?/gi,
  )) {
    const text = match[0].replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '');
    const before = prompt[match.index - 1];
    if (!/^https?:/i.test(text) && (before === '@' || !looksLikeHost(text))) continue;
    const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
    if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) found.push(url.href);
  }
  return [...new Set(found)];
}

/** A bare word with a dot is more often a file or a product name (report.pdf, Node.js) than a host. */
function looksLikeHost(text: string): boolean {
  const host = text.split('/', 1)[0]!.toLowerCase();
  if (host.startsWith('www.')) return true;
  return /\.(?:com|org|net|io|dev|eu|de|at|ch|fr|uk|us|gov|edu|int|info|ai|app|cloud|co)$/.test(host);
}
