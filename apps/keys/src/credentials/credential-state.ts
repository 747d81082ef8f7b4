/** Whether a credential is valid at a time, and if not, why. */
export function stateOf(
  credential: { expires_at: Date | null; revokes_at?: Date | null; revoked_at: Date | null },
  now: Date,
): 'valid' | 'expired' | 'revoked' {
  const due = credential.revokes_at ?? null;
  // A revocation that is due counts, whether or not the job that executes it has run.
  if (credential.revoked_at !== null || (due !== null && due <= now)) return 'revoked';
  return credential.expires_at !== null && credential.expires_at <= now ? 'expired' : 'valid';
}
