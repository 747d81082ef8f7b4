import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { describeForwarder } from './forwarder.conformance.ts';

describeForwarder('http-proxy-middleware', createHpmForwarder);
