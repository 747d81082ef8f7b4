import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { createReplicaDirectory } from '../src/forwarding/replicas.ts';
import { createUndiciForwarder } from '../src/forwarding/forward-with-undici.ts';
import { describeForwarder } from './forwarder.conformance.ts';

describeForwarder('undici', (onFailure) => {
  const replicas = createReplicaDirectory();
  return createUndiciForwarder(onFailure, createHpmForwarder(onFailure, replicas), replicas);
});
