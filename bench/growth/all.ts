/** Every sweep there is. */
import type { Sweep } from '../harness/sweep';
import { messagesSweep } from './messages';
import { nodesSweep } from './nodes';
import { pollsSweep } from './polls';
import { tenantsSweep } from './tenants';

export const sweeps: readonly Sweep[] = [
  pollsSweep,
  nodesSweep,
  // After those: an organisation that is no longer alone does not answer to every name.
  tenantsSweep,
  messagesSweep,
];
