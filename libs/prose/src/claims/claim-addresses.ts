/** Addresses with a scheme, domains, names of files, and e-mail addresses. */
const ADDRESS =
  /(?:\bhttps?:\/\/|\bwww\.)[^\s<>()[\]"'`]+|(?<![\p{L}\p{N}_.+@-])[\p{L}\p{N}_.+@-]*[\p{L}\p{N}_-]\.\p{L}{2,}[\p{L}\p{N}_-]*/giu;

/** Whether a claim has an address that its evidence does not have. */
export function foreignAddress(claim: string, evidence: readonly string[]): boolean {
  const known = evidence.join('\n').toLowerCase();
  return (claim.match(ADDRESS) ?? []).some((address) => !known.includes(withoutEnd(address).toLowerCase()));
}

function withoutEnd(address: string): string {
  return address.replace(/(?<![.,;:!?])[.,;:!?]+$/, '');
}
