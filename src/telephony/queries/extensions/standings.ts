/** Whether phones are registered and what they are doing: as the listener of the PBX knows, else as the PBX says now. */
import { groupBy } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import type { PbxDrivers } from '../../actors/pbx-instance/drivers';
import type { CallStatus, Line } from '../../model/calls/line';
import type { Instance } from '../../model/sites/site';
import { LISTENED_BACKENDS } from '../../model/sites/backends';
import * as lines from '../../store/calls/lines';
import type { SealedExtension } from '../../store/extensions/extensions';

/** A PBX that is slow to report its registrations must not slow the list. */
const REGISTERED_WITHIN_MS = 500;

export interface Standing {
  readonly isRegistered?: boolean;
  readonly callStatus?: CallStatus;
}

interface Parts {
  readonly mysql: Database;
  readonly drivers: PbxDrivers;
}

/** By extension. What is not known is left out, or called unknown. */
export async function standingsOf(
  parts: Parts,
  found: readonly SealedExtension[],
  instances: ReadonlyMap<string, Instance>,
): Promise<ReadonlyMap<string, Standing>> {
  const standings = new Map<string, Standing>();
  for (const [uuid, group] of groupBy(found, ({ pbx }) => pbx)) {
    const instance = instances.get(uuid);
    if (!instance) continue;
    const numbers = group.map(({ number }) => number);
    const ofNumbers = await standingsOn(parts, instance, numbers);
    for (const { id, number } of group) standings.set(id, ofNumbers(number));
  }
  return standings;
}

async function standingsOn(
  { mysql, drivers }: Parts,
  instance: Instance,
  numbers: readonly number[],
): Promise<(number: number) => Standing> {
  const isListened = LISTENED_BACKENDS.includes(instance.backend);
  const known = isListened ? await lines.validLines(mysql, instance.uuid, numbers) : new Map<number, Line>();
  const asked = numbers.filter((number) => !known.has(number));
  const registered = asked.length === 0 ? undefined : await registeredAmong(drivers, instance, asked);
  return (number) => {
    const line = known.get(number);
    const isRegistered = line?.isRegistered ?? registered?.has(number);
    return {
      ...(isRegistered === undefined ? {} : { isRegistered }),
      ...(isListened ? { callStatus: line?.callStatus ?? 'unknown' } : {}),
    };
  };
}

/** Undefined if the PBX does not say. */
async function registeredAmong(
  drivers: PbxDrivers,
  instance: Instance,
  numbers: readonly number[],
): Promise<ReadonlySet<number> | undefined> {
  const context = { key: 'registered', deadlineMs: REGISTERED_WITHIN_MS };
  const said = await drivers
    .of(instance)
    .registered?.(numbers, context)
    .catch(() => undefined);
  return said && new Set(said);
}
