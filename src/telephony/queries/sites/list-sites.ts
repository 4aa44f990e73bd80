/** Lists a company's locations, PBX instances and possible caller ids. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { BACKEND_FIELDS } from '../../model/sites/backends';
import { readCallerId, writeCallerId } from '../../model/extensions/extension';
import { noInstance } from '../../model/faults';
import { isUuid, type Instance } from '../../model/sites/site';
import { instanceObject, locationObject } from '../../model/wire';
import * as sites from '../../store/sites/sites';
import { companyNumbers } from '../companies/company-numbers';

export const listLocations = async ({ mysql }: Kernel, by: Caller): Promise<object[]> =>
  (await sites.listLocations(mysql, by.companyId)).map(locationObject);

export const listInstances = async ({ mysql }: Kernel, by: Caller): Promise<object[]> =>
  (await sites.listInstances(mysql, by.companyId)).map(instanceObject);

/** Another company's instance counts as missing. */
export async function getInstance({ mysql }: Pick<Kernel, 'mysql'>, by: Caller, uuid: string): Promise<Instance> {
  const lower = uuid.toLowerCase();
  const instance = isUuid(lower) ? await sites.instanceByUuid(mysql, lower) : undefined;
  if (instance?.companyId !== by.companyId) throw noInstance();
  return instance;
}

/** Returns one instance, with the extension fields that its backend stores. */
export async function showInstance(kernel: Kernel, by: Caller, uuid: string): Promise<object> {
  const instance = await getInstance(kernel, by, uuid);
  const { backend } = instance;
  return { ...instanceObject(instance), backend, supported_fields: BACKEND_FIELDS[backend] };
}

/** The company's own numbers, without duplicates. */
export async function listCallerIds(kernel: Kernel, by: Caller, uuid: string): Promise<object[]> {
  const [found] = await Promise.all([companyNumbers(kernel, by.companyId), getInstance(kernel, by, uuid)]);
  const numbers = new Map(found.map(({ number, name }) => [number, name]));
  return [...numbers].map(([number, name]) => readCallerId(writeCallerId(name, number)));
}
