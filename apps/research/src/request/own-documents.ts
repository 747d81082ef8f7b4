// These patterns expect white space to be collapsed to single blanks.
const OWN = String.raw`(?:my|our|the|these|internal|own|uploaded|attached) (?:own |internal |uploaded |attached )?(?:documents?|docs|files?|memor(?:y|ies)|knowledge(?: base)?|handbook|uploads?|notes)`;
const OWN_ONLY = new RegExp(
  [
    String.raw`\b${OWN} (?:only|alone|exclusively)\b`,
    String.raw`\b(?:only|just|exclusively|solely|nothing but|no other sources? than) (?:(?:use|search|look(?: (?:in|at|into))?|read|using) )?(?:(?:from|in|within|through) )?${OWN}\b`,
    String.raw`\b(?:no|without(?: (?:the|any))?|not (?:in |on )?the|(?:don'?t|do not|never) (?:use|search|browse|go (?:on|to|into)|access|touch) the) (?:web|internet)\b`,
    String.raw`\b(?:offline|internally) only\b|\b(?:don'?t|do not) go online\b|\bstay offline\b`,
  ].join('|'),
  'i',
);

/** Whether a prompt restricts the run to the tenant's own documents. Such a run never uses the web. */
export function asksForOwnDocumentsOnly(prompt: string): boolean {
  return OWN_ONLY.test(prompt.replace(/\s+/g, ' '));
}
