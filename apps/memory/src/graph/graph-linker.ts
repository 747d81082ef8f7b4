import type { DocumentLinker } from '../link-port.ts';
import { ruleReader } from './chunk-readers.ts';
import { linkDocuments } from './link-documents.ts';

/** The graph as ingestion's last step. Linking the same documents again changes nothing. */
export const graphLinker: DocumentLinker = {
  linkDocuments: (tx, memory, documents) => linkDocuments(tx, memory, documents, ruleReader),
};
