/** A price list whose figures are easy to add up in one's head; the price of `acme/plain` doubles on 2 November. */
export const PRICES = {
  versions: [
    {
      version: 'old',
      effective_from: '2025-01-01',
      charges: { 'list.build': 10, 'research.run': 25 },
      credits_per_usd: 100,
      models: {
        'acme/plain': { input: 1_000, output: 4_000, cached_input: 100, cache_write: 1_250 },
        'acme/small': { input: 37.5, output: 150.5 },
        'acme/free': { input: 0, output: 0 },
        'acme/long': { input: 10, output: 20, long: { above_input_tokens: 1_000, input: 30, output: 60 } },
        'local/*': { input: 0, output: 0 },
      },
    },
    {
      version: 'new',
      effective_from: '2026-11-02',
      models: { 'acme/plain': { input: 2_000, output: 8_000, cached_input: 200, cache_write: 2_500 } },
    },
  ],
};

/** Twenty models with prices, for measuring. */
export const BENCH_MODELS: string[] = Array.from({ length: 20 }, (_, n) => `model-${n + 1}`);

export const BENCH_PRICES = {
  versions: [
    {
      version: 'bench',
      effective_from: '2020-01-01',
      charges: { 'list.build': 10, 'research.run': 25 },
      credits_per_usd: 100,
      models: Object.fromEntries(
        BENCH_MODELS.map((model, n) => [`acme/${model}`, { input: 100 + n, output: 400 + n, cached_input: 10 + n }]),
      ),
    },
  ],
};
