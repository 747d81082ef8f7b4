/** What a model does to what it would honestly say. */
export const DEFECTS = [
  'fence',
  'prose',
  'truncated',
  'citation',
  'number',
  'negation',
  'role',
  'heading',
  'language',
  'refusal',
  'silence',
  'rate',
] as const;
type Defect = (typeof DEFECTS)[number];
export type Mode = 'honest' | Defect;
