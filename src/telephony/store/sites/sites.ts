/** Rows of tel_locations and tel_instances: locations and their PBX instances. */
import type { Knex } from 'knex';
import type { CompanyId } from '../../model/companies/company';
import type { Backend } from '../../model/sites/backends';
import { noLocationDetails, type Instance, type Location, type LocationDetails } from '../../model/sites/site';
import { firstOf } from '../reads';

export interface NewLocation {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly details?: LocationDetails;
}

export interface NewInstance {
  readonly id: string;
  readonly uuid: string;
  readonly companyId: CompanyId;
  readonly locationId: string;
  readonly backend: Backend;
  readonly address: string;
  readonly details?: Readonly<Record<string, string>>;
  /** Encrypted. */
  readonly credentials?: string | null;
}

interface LocationRow {
  id: string;
  company_id: CompanyId;
  name: string;
  details: string;
  pbx: string | null;
  created_at: Date;
  updated_at: Date;
}

const locationOf = (row: LocationRow): Location => ({
  id: row.id,
  companyId: row.company_id,
  name: row.name,
  details: { ...noLocationDetails, ...(JSON.parse(row.details) as Partial<LocationDetails>) },
  pbx: row.pbx,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export interface InstanceRow {
  uuid: string;
  id: string;
  company_id: CompanyId;
  company_name: string;
  location_id: string;
  backend: Backend;
  address: string;
  details: string;
  credentials: string | null;
}

/** Its credentials stay encrypted; only a driver decrypts them. */
export interface StoredInstance extends Instance {
  readonly credentials: string | null;
}

export const instanceOf = (row: InstanceRow): StoredInstance => ({
  uuid: row.uuid,
  id: row.id,
  companyId: row.company_id,
  companyName: row.company_name,
  locationId: row.location_id,
  backend: row.backend,
  address: row.address,
  details: JSON.parse(row.details) as Record<string, string>,
  credentials: row.credentials,
});

export async function insertLocation(db: Knex, location: NewLocation): Promise<void> {
  const now = db.raw('NOW(3)');
  const { id, companyId, name, details = noLocationDetails } = location;
  await db('tel_locations').insert({
    id,
    company_id: companyId,
    name,
    details: JSON.stringify(details),
    created_at: now,
    updated_at: now,
  });
}

export async function insertInstance(db: Knex, instance: NewInstance): Promise<void> {
  const now = db.raw('NOW(3)');
  const { id, uuid, companyId, locationId, backend, address, details = {}, credentials = null } = instance;
  await db('tel_instances').insert({
    id,
    uuid,
    company_id: companyId,
    location_id: locationId,
    backend,
    address,
    details: JSON.stringify(details),
    credentials,
    created_at: now,
    updated_at: now,
  });
}

const locations = (db: Knex, companyId: CompanyId) =>
  db('tel_locations')
    .where('tel_locations.company_id', companyId)
    .select('tel_locations.*', {
      // A location may have several instances; the one with the lowest uuid represents it.
      pbx: db('tel_instances').whereRaw('tel_instances.location_id = tel_locations.id').min('uuid'),
    });

export async function listLocations(db: Knex, companyId: CompanyId): Promise<Location[]> {
  return ((await locations(db, companyId).orderBy('tel_locations.id')) as LocationRow[]).map(locationOf);
}

export const locationById = (db: Knex, companyId: CompanyId, id: string): Promise<Location | undefined> =>
  firstOf(locations(db, companyId).where('tel_locations.id', id), locationOf);

export async function updateLocation(db: Knex, { id, name, details }: Location): Promise<void> {
  await db('tel_locations')
    .where({ id })
    .update({ name, details: JSON.stringify(details), updated_at: db.raw('NOW(3)') });
}

export async function removeLocation(db: Knex, id: string): Promise<void> {
  await db('tel_locations').where({ id }).delete();
}

const instances = (db: Knex) =>
  db('tel_instances')
    .join('tel_companies', 'tel_companies.id', 'tel_instances.company_id')
    .select('tel_instances.*', { company_name: 'tel_companies.name' });

export async function listInstances(db: Knex, companyId?: CompanyId): Promise<StoredInstance[]> {
  const rows = (await instances(db)
    .where(companyId === undefined ? {} : { 'tel_instances.company_id': companyId })
    .orderBy('tel_instances.id')) as InstanceRow[];
  return rows.map(instanceOf);
}

/** Waits for uncommitted inserts. If two transactions insert and then call this, the later one sees the other's row. */
export async function lockInstancesOf(db: Knex, backend: Backend): Promise<StoredInstance[]> {
  await db('tel_instances').where({ backend }).orderBy('uuid').forUpdate().select('uuid');
  return (await listInstances(db)).filter((each) => each.backend === backend);
}

export const instanceByUuid = (db: Knex, uuid: string): Promise<StoredInstance | undefined> =>
  firstOf(instances(db).where('tel_instances.uuid', uuid), instanceOf);

/** The encrypted credentials of any PBX that has some. */
export const someCredentials = (db: Knex): Promise<string | undefined> =>
  firstOf(
    db('tel_instances').whereNotNull('credentials').select('credentials'),
    (row: { credentials: string }) => row.credentials,
  );

export async function removeInstance(db: Knex, uuid: string): Promise<void> {
  await db('tel_instances').where({ uuid }).delete();
}

export async function hasInstance(db: Knex, locationId: string): Promise<boolean> {
  return (await db('tel_instances').where({ location_id: locationId }).first('uuid')) !== undefined;
}
