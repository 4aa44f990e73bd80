/** Adds, changes and removes a company's locations. Only its owner may. */
import { ensure } from '../../../kernel/fault';
import { newId } from '../../../kernel/id';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Caller } from '../../model/contacts/contact';
import { changesBetween } from '../../model/changes';
import { forbidden, noLocation, notOwner, existing } from '../../model/faults';
import { changedFields, checkNewEmail, merge, type Part } from '../../model/fields';
import { noLocationDetails, type Location, type LocationDetails } from '../../model/sites/site';
import { locationObject } from '../../model/wire';
import * as audit from '../../store/companies/audit';
import * as companies from '../../store/companies/companies';
import * as extensions from '../../store/extensions/extensions';
import * as sites from '../../store/sites/sites';
import { ensureUser } from '../contacts/change-contacts';

export type LocationChange = Part<LocationDetails> & { readonly name?: string | undefined };

export function createLocation(
  transaction: Transact,
  by: Caller,
  draft: LocationChange & { name: string },
): Promise<object> {
  ensure(by.isOwner, notOwner());
  const { name, ...details } = draft;
  checkNewEmail('email', details.email);
  const id = newId();
  return transaction(async ({ db }) => {
    await ensureUser(db, by.companyId, { field: 'user_id', id: details.user_id });
    await sites.insertLocation(db, { id, companyId: by.companyId, name, details: merge(noLocationDetails, details) });
    await audit.record(db, by, { action: 'location.create', object: id, detail: { name } });
    const made = existing(await sites.locationById(db, by.companyId, id), noLocation);
    return locationObject(made);
  });
}

export function updateLocation(transaction: Transact, by: Caller, id: string, change: LocationChange): Promise<object> {
  return transaction(async ({ db }) => {
    const before = await lock(db, by, id);
    const { name = before.name, ...details } = change;
    checkNewEmail('email', details.email, before.details.email);
    const user = { field: 'user_id', id: details.user_id, before: before.details.user_id };
    await ensureUser(db, by.companyId, user);
    const after = { ...before, name, details: merge(before.details, details) };
    await sites.updateLocation(db, after);
    const changes = changesBetween({ name: before.name, ...before.details }, { name, ...after.details });
    const detail = { fields: changedFields(change), changes };
    await audit.record(db, by, { action: 'location.update', object: id, detail });
    return locationObject((await sites.locationById(db, by.companyId, id)) ?? after);
  });
}

export function deleteLocation(transaction: Transact, by: Caller, id: string): Promise<object> {
  return transaction(async ({ db }) => {
    const location = await lock(db, by, id);
    const all = await sites.listLocations(db, by.companyId);
    ensure(all.length > 1, forbidden('Every company has at least one location; this is the last one'));
    ensure(!(await extensions.isAtLocation(db, id)), forbidden('There are extensions at this location'));
    ensure(!(await sites.hasInstance(db, id)), forbidden('There is a PBX instance at this location'));
    await sites.removeLocation(db, id);
    await audit.record(db, by, { action: 'location.delete', object: id, detail: { name: location.name } });
    return locationObject(location);
  });
}

/** Locks the company's row for all its locations, so that concurrent deletions cannot remove the last two. */
async function lock(db: Parameters<typeof companies.lock>[0], by: Caller, id: string): Promise<Location> {
  await companies.lock(db, by.companyId);
  const location = existing(await sites.locationById(db, by.companyId, id), noLocation);
  ensure(by.isOwner, notOwner());
  return location;
}
