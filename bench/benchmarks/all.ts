/** All benchmarks, in the order in which they run. */
import type { Suite } from '../harness/benchmark';
import { jobRequestSuite } from './job-request';
import { companyEventsSuite } from './company-events';
import { eventsSuite, streamsSuite } from './events';
import { lastSuite, redisSuite } from './events-wide';
import { markSuite } from './marks';
import { readSuite } from './read';
import { sendSuite } from './send';
import { extensionSuites } from './extensions';
import { httpSuites } from './http';
import { httpSendSuite } from './http-send';
import { idleOrganisationsSuite, idleSuite } from './idle';
import { idleSocketsSuite } from './idle-sockets';
import { parkedStreamsSuite, parkedSuites } from './parked';
import { peersSuite } from './peers';
import { publishSuite } from './publish';
import { roomsSuite } from './rooms';
import { publishLatencySuite } from './publish-latency';
import { tenantSuites } from './tenants';
import { textingInboundSuite } from './texting-inbound';
import { transactionSuite } from './transaction';
import { webSuite } from './web';
import { webhookSuites } from './webhooks';

export const suites: readonly Suite[] = [
  // First, while the database is as small as a fresh one.
  idleSuite,
  ...httpSuites,
  transactionSuite,
  publishLatencySuite,
  publishSuite,
  jobRequestSuite,
  roomsSuite,
  companyEventsSuite,
  idleSocketsSuite,
  textingInboundSuite,
  eventsSuite,
  streamsSuite,
  redisSuite,
  lastSuite,
  ...parkedSuites,
  parkedStreamsSuite,
  httpSendSuite,
  sendSuite,
  ...extensionSuites,
  ...webhookSuites,
  webSuite,
  ...tenantSuites,
  // Last, because they create more organisations and a million messages.
  readSuite,
  markSuite,
  idleOrganisationsSuite,
];

/** Run only on request, because they need extra servers. */
export const apart: readonly Suite[] = [peersSuite];
