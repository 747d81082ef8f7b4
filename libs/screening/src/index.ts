export type { DlpPolicy, Finding, FindingKind } from './finding.ts';
export { policyOf, WORKSPACE_POLICY } from './policy.ts';
export { maskText, maskTexts, type ScreenedText } from './mask-texts.ts';
export { screenText } from './screen-text.ts';
