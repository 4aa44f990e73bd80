/** Every sweep there is. */
import type { Sweep } from '../harness/sweep';

export const sweeps: readonly Sweep[] = [];
