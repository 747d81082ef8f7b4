/** Exchanges a key or a one-time ticket for the session's cookie, which the page cannot read. */
export async function openSession(proof: { api_key: string } | { ticket: string }): Promise<void> {
  const response = await fetch('/api/v1/console/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  });
  if (response.ok) return;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(problem.detail ?? `HTTP ${response.status}`);
}

export async function closeSession(): Promise<void> {
  await fetch('/api/v1/console/sessions/current', { method: 'DELETE' });
}
