import { createReplicaDirectory } from '../src/forwarding/replicas.ts';
import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { describeForwarder } from './forwarder.conformance.ts';

describeForwarder('http-proxy-middleware', (onFailure) => createHpmForwarder(onFailure, createReplicaDirectory()));
