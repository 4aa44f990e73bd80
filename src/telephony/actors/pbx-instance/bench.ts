/** What a turn of a PBX instance works with. */
import type { TurnContext } from '../../../kernel/actor/leased-turn';
import type { Operation, ProvisioningSettings } from '../../model/extensions/operation';
import type { Instance } from '../../model/sites/site';
import * as sites from '../../store/sites/sites';
import { breakerOf, type Breaker } from '../breaker';
import { isPbxTrouble } from './driver';
import type { PbxDriver } from './driver';
import type { PbxDrivers } from './drivers';

export interface Bench {
  readonly turn: TurnContext;
  readonly settings: ProvisioningSettings;
  readonly instance: Instance;
  readonly driver: PbxDriver;
  readonly breaker: Breaker;
  /** When the operations were read: their time runs from there. */
  readonly readAt: number;
}

export const openBreaker = (turn: TurnContext, settings: ProvisioningSettings): Breaker =>
  breakerOf(turn.kernel, turn.address, { ...settings, isTrouble: isPbxTrouble });

export async function openBench(
  turn: TurnContext,
  { drivers, settings }: { readonly drivers: PbxDrivers; readonly settings: ProvisioningSettings },
  uuid: string,
): Promise<Bench | undefined> {
  const { kernel } = turn;
  const instance = await sites.instanceByUuid(kernel.mysql, uuid);
  if (!instance) return undefined;
  const driver = drivers.of(instance);
  return { turn, settings, instance, driver, breaker: openBreaker(turn, settings), readAt: Date.now() };
}

export const leftMs = (bench: Bench, operation: Operation): number => operation.leftMs - (Date.now() - bench.readAt);

/** Throws when a newer turn has begun: a process that slept through its lease must not tell the PBX anything more. */
export const ensureCurrent = (bench: Bench): Promise<void> => bench.turn.commit(() => Promise.resolve());
