/** A company's locations, PBX instances and possible caller ids; instances for operators; the last comparison of a PBX. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Wire } from '../../../kernel/text/wire';
import type { Health } from '../../actors/pbx-instance/driver';
import { PbxDrivers } from '../../actors/pbx-instance/drivers';
import type { driftReport } from '../../model/answers/company';
import type { Caller } from '../../model/contacts/contact';
import { fatesOf } from '../../model/extensions/backend-fields';
import { readCallerId, writeCallerId } from '../../model/extensions/extension';
import { noInstance, noReport, notOwner, existing } from '../../model/faults';
import {
  BACKEND_ARRANGEMENTS,
  BACKEND_CLICK_TO_CALL,
  BACKEND_FIELDS,
  BACKEND_ROLES,
  kindOf,
} from '../../model/sites/backends';
import { reportObject } from '../../model/sites/drift';
import { emergencyNumbers, isUuid, type Instance } from '../../model/sites/site';
import { instanceObject, locationObject } from '../../model/wire';
import { stuckOn } from '../../store/extensions/operation-queries';
import * as drift from '../../store/sites/drift';
import * as sites from '../../store/sites/sites';
import { companyNumbers } from '../companies/companies';

type Parts = Pick<Kernel, 'lifecycle' | 'log' | 'pause' | 'secrets'>;

export const listLocations = async (db: Database, by: Caller): Promise<object[]> =>
  (await sites.listLocations(db, by.companyId)).map(locationObject);

export const listInstances = async (db: Database, by: Caller): Promise<object[]> =>
  (await sites.listInstances(db, by.companyId)).map(instanceObject);

/** Another company's instance counts as missing. */
export async function getInstance(db: Database, by: Caller, uuid: string): Promise<Instance> {
  const lower = uuid.toLowerCase();
  const instance = isUuid(lower) ? await sites.instanceByUuid(db, lower) : undefined;
  if (instance?.companyId !== by.companyId) throw noInstance();
  return instance;
}

/** Returns one instance, with what becomes of the extension's fields there. */
export async function showInstance(db: Database, by: Caller, uuid: string): Promise<object> {
  const instance = await getInstance(db, by, uuid);
  const kind = kindOf(instance);
  const supported = {
    role: BACKEND_ROLES[kind],
    supported_fields: BACKEND_FIELDS[kind],
    fields: fatesOf(kind),
    arrangements: BACKEND_ARRANGEMENTS[kind],
    click_to_call: BACKEND_CLICK_TO_CALL[kind],
    emergency_numbers: emergencyNumbers(instance),
  };
  return { ...instanceObject(instance), backend: instance.backend, ...supported };
}

/** The company's own numbers, without duplicates. */
export async function listCallerIds(db: Database, by: Caller, uuid: string): Promise<object[]> {
  const [found] = await Promise.all([companyNumbers(db, by.companyId), getInstance(db, by, uuid)]);
  const numbers = new Map(found.map(({ number, name }) => [number, name]));
  return [...numbers].map(([number, name]) => readCallerId(writeCallerId(name, number)));
}

/** Returns the last comparison of a PBX with the database. */
export async function getDrift(db: Database, by: Caller, uuid: string): Promise<object> {
  const { uuid: instance } = await getInstance(db, by, uuid);
  ensure(by.isOwner, notOwner());
  return existing(await findDrift(db, instance), noReport);
}

export async function findDrift(db: Database, instance: string): Promise<Wire<typeof driftReport> | undefined> {
  const [found, stuck] = await Promise.all([drift.byInstance(db, instance), stuckOn(db, instance)]);
  return found && reportObject(instance, found, stuck);
}

export const listAllInstances = (db: Database): Promise<Instance[]> => sites.listInstances(db);

export const findInstance = (db: Database, uuid: string): Promise<Instance | undefined> =>
  sites.instanceByUuid(db, uuid.toLowerCase());

export const testInstance = (kernel: Parts, instance: Instance, deadlineMs: number): Promise<Health> =>
  new PbxDrivers(kernel).of(instance).health({ key: 'test', deadlineMs });
