/** Returns a PBX order to the user who placed it, or to the owner. */
import type { Storage } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import { operationObject } from '../../model/extensions/operation';
import { noOperation } from '../../model/faults';
import * as operations from '../../store/extensions/operations';

export async function getOperation({ mysql, secrets }: Storage, by: Caller, id: string): Promise<object> {
  const operation = await operations.byId(mysql, by.companyId, id);
  const isOwn = operation?.by.contactId === by.contactId;
  if (!operation || !(isOwn || by.isOwner)) throw noOperation();
  const result = operation.answer === null ? null : (JSON.parse(secrets.decrypt(operation.answer)) as object);
  return { ...operationObject(operation), result };
}
