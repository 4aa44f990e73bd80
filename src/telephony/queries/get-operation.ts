/** An order to a PBX, for whoever placed it and for the owner. */
import type { Kernel } from '../../kernel/kernel';
import type { Caller } from '../model/contact';
import { noOperation } from '../model/faults';
import { operationObject } from '../model/operation';
import * as operations from '../store/operations';

export async function getOperation({ mysql, secrets }: Kernel, by: Caller, id: string): Promise<object> {
  const operation = await operations.byId(mysql, by.companyId, id);
  const isOwn = operation?.by.contactId === by.contactId;
  if (!operation || !(isOwn || by.isOwner)) throw noOperation();
  const result = operation.answer === null ? null : (JSON.parse(secrets.decrypt(operation.answer)) as object);
  return { ...operationObject(operation), result };
}
