/** Whether a credential is good at a time, and if not, why. */
export function stateOf(
  credential: { expires_at: Date | null; revokes_at?: Date | null; revoked_at: Date | null },
  now: Date,
): 'good' | 'expired' | 'revoked' {
  const due = credential.revokes_at ?? null;
  // A time that has come counts, whether or not the one who revokes by it has come round.
  if (credential.revoked_at !== null || (due !== null && due <= now)) return 'revoked';
  return credential.expires_at !== null && credential.expires_at <= now ? 'expired' : 'good';
}
