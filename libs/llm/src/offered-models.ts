import type { Attribution } from './models.ts';
import { type AccessOptions, findAccess } from './provider-access.ts';

/** A model of the operator's list, as one tenant may use it. */
export interface OfferedModel {
  /** What callers name it by. */
  id: string;
  provider: string;
  /** What the provider calls it. */
  model: string;
  kind: 'language' | 'embedding' | 'reranking';
  isDefault: boolean;
  /** Whose key a call would use; null where nobody's may be used. */
  billedTo: 'own_key' | 'platform' | null;
}

/** Every model of the operator's list, in its order: language models first. */
export async function offeredModels(
  options: AccessOptions,
  who: Pick<Attribution, 'tenantId' | 'livemode'>,
): Promise<OfferedModel[]> {
  const { config } = options;
  const billed = new Map<string, OfferedModel['billedTo']>();
  for (const { name } of config.providers) {
    const access = await findAccess(options, who, name);
    billed.set(name, access === null ? null : access.byok ? 'own_key' : 'platform');
  }
  const single = (kind: 'embedding' | 'reranking', entry: { provider: string; model: string } | undefined) =>
    entry === undefined ? [] : [{ id: `${entry.provider}/${entry.model}`, kind, isDefault: true, ...pick(entry) }];
  const models = [
    ...config.language_models.map(({ name, provider, model = name }, index) => ({
      id: name,
      kind: 'language' as const,
      isDefault: index === 0,
      provider,
      model,
    })),
    ...single('embedding', config.embedding),
    ...single('reranking', config.reranker),
  ];
  return models.map((model) => ({ ...model, billedTo: billed.get(model.provider) ?? null }));
}

function pick({ provider, model }: { provider: string; model: string }) {
  return { provider, model };
}
