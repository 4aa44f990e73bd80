/** All sweeps. */
import type { Sweep } from '../harness/sweep';
import { messagesSweep } from './messages';
import { nodesSweep } from './nodes';
import { pollsSweep } from './polls';
import { tenantsSweep } from './tenants';

export const sweeps: readonly Sweep[] = [
  pollsSweep,
  nodesSweep,
  // After the others, because with several organisations a request must name its organisation's host.
  tenantsSweep,
  messagesSweep,
];
