/** The context that a provider key is encrypted for. */
export function providerKeyContext(tenantId: string, provider: string): string {
  return `provider-key ${tenantId} ${provider}`;
}
