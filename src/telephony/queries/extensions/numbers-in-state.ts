/** The extensions whose last order failed or that differ on the PBX, and those without a registered phone. */
import { ensure } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import type { Caller } from '../../model/contacts/contact';
import { tellsNoPhones } from '../../model/faults';
import type { Telephony } from '../../parts';
import type { ExtensionQuery } from '../../store/extensions/extension-lists';
import { numbersOn } from '../../store/extensions/extensions';
import { failedNumbers } from '../../store/extensions/operation-queries';
import * as drift from '../../store/sites/drift';
import { listStandings } from '../portal/lists';
import { getInstance } from '../sites/sites';

/** Undefined if the filter does not ask for a state. */
export async function numbersIn(
  telephony: Pick<Telephony, 'drivers' | 'mysql'>,
  by: Caller,
  uuid: string,
  filterBy: ExtensionQuery['filterBy'],
): Promise<number[] | undefined> {
  if (filterBy === 'failed') return failedOn(telephony.mysql, by, uuid);
  return filterBy === 'unregistered' ? unregisteredOn(telephony, by, uuid) : undefined;
}

async function failedOn(db: Database, by: Caller, uuid: string): Promise<number[]> {
  const { uuid: instance } = await getInstance(db, by, uuid);
  const [failed, comparison] = await Promise.all([failedNumbers(db, instance), drift.byInstance(db, instance)]);
  const { missing = [], changed = [] } = comparison?.report ?? {};
  const suspects = [...new Set([...failed, ...missing, ...changed])];
  const standings = await listStandings(db, by, { uuid, numbers: suspects });
  return standings.filter(({ state }) => ['failed', 'stuck', 'drifted'].includes(state)).map(({ number }) => number);
}

const WITHIN_MS = 3000;

async function unregisteredOn(
  { drivers, mysql }: Pick<Telephony, 'drivers' | 'mysql'>,
  by: Caller,
  uuid: string,
): Promise<number[]> {
  const instance = await getInstance(mysql, by, uuid);
  const driver = drivers.of(instance);
  ensure(driver.registered !== undefined, tellsNoPhones());
  const all = await numbersOn(mysql, instance.uuid);
  const registered = await driver.registered(all, { key: 'registered', deadlineMs: WITHIN_MS }).catch(() => undefined);
  ensure(registered !== undefined, tellsNoPhones());
  const there = new Set(registered);
  return all.filter((number) => !there.has(number));
}
