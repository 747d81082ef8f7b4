/** Kinds of runs, those that people start most first. */
export const KINDS = ['research', 'deep_search', 'people', 'company', 'web', 'crawler'] as const;

export type Kind = (typeof KINDS)[number];
