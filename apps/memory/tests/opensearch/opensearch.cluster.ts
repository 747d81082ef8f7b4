import { describeSearchIndex } from '@cairn/search-index/conformance';
import { afterAll, beforeAll } from '@jest/globals';
import { type OpenSearchCluster, startOpenSearchCluster } from '@cairn/testing';
import { describeFaults } from './faults.ts';
import { openOnCluster } from './open-on-cluster.ts';

const START_TIMEOUT_MS = 420_000;

let nodes: OpenSearchCluster | undefined;
beforeAll(async () => {
  nodes = await startOpenSearchCluster(process.env['CAIRN_TEST_OPENSEARCH']!);
}, START_TIMEOUT_MS);
afterAll(() => nodes?.close());

describeSearchIndex('OpenSearch', () => openOnCluster(nodes!, 'conformance'), { findsAtCommit: false });
describeFaults(() => nodes!);
