/** Creates, changes, orders and removes an organisation's custom profile fields, for administrators. */
import { ensure } from '../../../kernel/fault';
import { ifDuplicate } from '../../../kernel/mysql/outcome';
import type { Tx, Transact } from '../../../kernel/mysql/transaction';
import { eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import type { RealmId } from '../../model/organisation/realm';
import { checkField, type FieldData, type WrittenField } from '../../model/users/profile-field';
import type { User } from '../../model/users/user';
import { fieldNameTaken, fieldNotFound } from '../../model/users/user-faults';
import { ensureAdmin } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';
import * as fields from '../../store/users/profile-fields';

export async function createProfileField(
  transaction: Transact,
  by: User,
  written: WrittenField,
): Promise<{ id: number }> {
  ensureAdmin(by);
  const draft = checkField(written);
  return { id: await changing(transaction, by.realmId, 'add', (tx) => fields.insert(tx.db, by.realmId, draft)) };
}

export interface FieldEdit {
  readonly name: string;
  readonly hint: string;
  readonly data: FieldData;
}

export async function updateProfileField(transaction: Transact, by: User, id: number, edit: FieldEdit): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by.realmId, 'update', async (tx) => {
    const field = await fields.byId(tx.db, by.realmId, id);
    ensure(field !== undefined, fieldNotFound(id));
    const { name, hint, field_data } = checkField({ ...edit, type: field.type });
    await fields.update(tx.db, id, { name, hint, field_data });
  });
}

export async function reorderProfileFields(transaction: Transact, by: User, order: readonly number[]): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by.realmId, 'update', async (tx) => {
    const known = (await fields.list(tx.db, by.realmId)).map(({ id }) => id);
    const isWhole = known.length === order.length && known.every((id) => order.includes(id));
    ensure(isWhole, badRequest('Invalid order mapping.'));
    await fields.reorder(tx.db, order);
  });
}

export async function removeProfileField(transaction: Transact, by: User, id: number): Promise<void> {
  ensureAdmin(by);
  await changing(transaction, by.realmId, 'delete', async (tx) => {
    ensure((await fields.byId(tx.db, by.realmId, id)) !== undefined, fieldNotFound(id));
    await fields.remove(tx.db, id);
  });
}

/** Publishes the whole list to everyone. The organisation is locked, so that events keep the order of the changes. */
async function changing<T>(
  transaction: Transact,
  realmId: RealmId,
  op: string,
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const changed = transaction(async (tx) => {
    await realms.lock(tx.db, realmId);
    const value = await change(tx);
    const list = await fields.list(tx.db, realmId);
    tx.deliver(eventDelivery(realmId, 'everyone', { type: 'custom_profile_fields', op, fields: list }));
    return value;
  });
  return changed.catch(ifDuplicate(fieldNameTaken));
}
