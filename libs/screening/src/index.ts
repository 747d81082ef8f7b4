export { SECRET_KINDS } from './finding.ts';
export type { DlpPolicy, Finding, FindingKind } from './finding.ts';
export { policyOf, WORKSPACE_POLICY } from './policy.ts';
export { maskText, maskTexts } from './mask-texts.ts';
export type { MaskedTexts } from './mask-texts.ts';
export { screenText } from './screen-text.ts';
