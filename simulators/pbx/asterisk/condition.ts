// The current state of a simulated Asterisk: its phase, registered phones, and listed endpoints.
import type { Pbx } from '../behaviour';
import { listedAfterStart } from './objects';

/** During startup the REST interface is first missing, then not ready. `down`: Asterisk has crashed. */
const PHASES = ['up', 'no-ari', 'not-booted', 'down'] as const;
export type Phase = (typeof PHASES)[number];
export const isPhase = (value: unknown): value is Phase => PHASES.some((phase) => phase === value);

export interface Condition {
  phase: Phase;
  readonly online: Set<string>;
  /** Undefined if there has been no endpoint since its start. */
  listed: Set<string> | undefined;
}

const conditions = new WeakMap<Pbx, Map<string, Condition>>();

export function conditionOf(pbx: Pbx, instance: string): Condition {
  const all = conditions.get(pbx) ?? new Map<string, Condition>();
  conditions.set(pbx, all);
  const known = all.get(instance) ?? { phase: 'up', online: new Set(), listed: listedAt(pbx, instance) };
  all.set(instance, known);
  return known;
}

export function restart(pbx: Pbx, instance: string): void {
  const condition = conditionOf(pbx, instance);
  condition.phase = 'up';
  condition.listed = listedAt(pbx, instance);
}

function listedAt(pbx: Pbx, instance: string): Set<string> | undefined {
  const listed = listedAfterStart(pbx.store, instance);
  return listed.length === 0 ? undefined : new Set(listed);
}
