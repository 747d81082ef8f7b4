import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateStore } from '@cairn/certificates';
import type { CertificateHolder } from '@cairn/identity';

interface TestCertificates {
  /** The variables of a service's configuration that name its files. */
  filesOf(holder: CertificateHolder): { tlsCertFile: string; tlsKeyFile: string; tlsCaFile: string };
  /** Writes every certificate again, issued by the next authority; without `trusted`, an authority nobody knows. */
  rotate(trusted?: boolean): Promise<void>;
}

/** Certificates for these parts, in files of the folder as provisioning writes them. */
export async function createTestCertificates(
  folder: string,
  holders: readonly CertificateHolder[],
): Promise<TestCertificates> {
  // Loaded on demand: most specs need none.
  const { issueCertificates } = await import('@cairn/certificates');
  let store: CertificateStore | null = null;
  const filesOf = (holder: CertificateHolder) => ({
    tlsCaFile: join(folder, `${holder}.ca.crt`),
    tlsKeyFile: join(folder, `${holder}.tls.key`),
    tlsCertFile: join(folder, `${holder}.tls.crt`),
  });
  const write = async (rotate: boolean) => {
    const issued = await issueCertificates(store, holders, { rotate });
    // Specs wait until the files are read, so the pause before the next rotation is theirs to keep.
    const { rotatedAt: _, ...kept } = issued.store;
    store = kept;
    for (const holder of holders) {
      const { certificate, privateKey, authorities } = issued.certificates[holder]!;
      const files = filesOf(holder);
      await writeFile(files.tlsCaFile, authorities);
      await writeFile(files.tlsKeyFile, privateKey);
      await writeFile(files.tlsCertFile, certificate);
    }
  };
  await write(false);
  return {
    filesOf,
    async rotate(trusted = true) {
      if (!trusted) store = null;
      await write(trusted);
    },
  };
}
