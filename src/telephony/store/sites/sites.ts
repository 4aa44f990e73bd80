/** Rows of tel_locations and tel_instances: locations and their PBX instances. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { readOfQuery, runRead, type Read } from '../../../kernel/mysql/read-packet';
import type { CompanyId } from '../../model/companies/company';
import type { Backend } from '../../model/sites/backends';
import { noLocationDetails, type Instance, type Location, type LocationDetails } from '../../model/sites/site';
import { firstOf } from '../reads';

export type NewLocation = Pick<Location, 'id' | 'companyId' | 'name'> & Partial<Pick<Location, 'details'>>;

export type NewInstance = Pick<Instance, 'id' | 'uuid' | 'companyId' | 'locationId' | 'backend' | 'address'> &
  Partial<Pick<StoredInstance, 'details' | 'credentials'>>;

const LOCATION: Readonly<Record<Exclude<keyof Location, 'pbx'>, string>> = {
  id: 'id',
  companyId: 'company_id',
  name: 'name',
  details: 'details',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

type LocationRow = Omit<Location, 'details'> & { readonly details: string };

const locationOf = (row: LocationRow): Location => ({
  ...row,
  details: { ...noLocationDetails, ...(JSON.parse(row.details) as Partial<LocationDetails>) },
});

/** Its credentials stay encrypted; only a driver decrypts them. */
export interface StoredInstance extends Instance {
  readonly credentials: string | null;
}

/** Of the instances as `i`, and their companies as `c`. */
export const INSTANCE: Readonly<Record<keyof StoredInstance, string>> = {
  uuid: 'i.uuid',
  id: 'i.id',
  companyId: 'i.company_id',
  companyName: 'c.name',
  locationId: 'i.location_id',
  backend: 'i.backend',
  address: 'i.address',
  details: 'i.details',
  credentials: 'i.credentials',
};

export type InstanceRow = Omit<StoredInstance, 'details'> & { readonly details: string };

export const instanceOf = (row: InstanceRow): StoredInstance => ({
  ...row,
  details: JSON.parse(row.details) as Record<string, string>,
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

export async function updateInstance(
  db: Knex,
  { uuid, address, details, credentials }: Pick<StoredInstance, 'uuid' | 'address' | 'details' | 'credentials'>,
): Promise<void> {
  await db('tel_instances')
    .where({ uuid })
    .update({ address, details: JSON.stringify(details), credentials, updated_at: db.raw('NOW(3)') });
}

/** Holds it until the end of the transaction. */
export async function lockInstance(db: Knex, uuid: string): Promise<StoredInstance | undefined> {
  await db('tel_instances').where({ uuid }).forUpdate().select('uuid');
  return instanceByUuid(db, uuid);
}

const locations = (db: Knex, companyId: CompanyId) =>
  db('tel_locations')
    .where({ company_id: companyId })
    .select(LOCATION, {
      // A location may have several instances; the one with the lowest uuid represents it.
      pbx: db('tel_instances').whereRaw('tel_instances.location_id = tel_locations.id').min('uuid'),
    });

export async function listLocations(db: Knex, companyId: CompanyId): Promise<Location[]> {
  return ((await locations(db, companyId).orderBy('id')) as LocationRow[]).map(locationOf);
}

export const locationById = (db: Knex, companyId: CompanyId, id: string): Promise<Location | undefined> =>
  firstOf(locations(db, companyId).where({ id }), locationOf);

/** At most two: whether there is one, and whether the name is ambiguous. */
export async function locationsNamed(db: Knex, companyId: CompanyId, name: string): Promise<Location[]> {
  return ((await locations(db, companyId).where({ name }).limit(2)) as LocationRow[]).map(locationOf);
}

export async function updateLocation(db: Knex, { id, name, details }: Location): Promise<void> {
  await db('tel_locations')
    .where({ id })
    .update({ name, details: JSON.stringify(details), updated_at: db.raw('NOW(3)') });
}

export async function removeLocation(db: Knex, id: string): Promise<void> {
  await db('tel_locations').where({ id }).delete();
}

const instances = (db: Knex) =>
  db('tel_instances AS i').join('tel_companies AS c', 'c.id', 'i.company_id').select(INSTANCE);

export const instancesRead = (db: Knex, companyId?: CompanyId): Read<StoredInstance[]> =>
  readOfQuery(
    instances(db)
      .where(companyId === undefined ? {} : { 'i.company_id': companyId })
      .orderBy('i.id'),
    (rows: readonly InstanceRow[]) => rows.map(instanceOf),
  );

export const listInstances = (db: Knex, companyId?: CompanyId): Promise<StoredInstance[]> =>
  runRead(db, instancesRead(db, companyId));

/** Waits for uncommitted inserts. If two transactions insert and then call this, the later one sees the other's row. */
export async function lockInstancesOf(db: Knex, backend: Backend): Promise<StoredInstance[]> {
  await db('tel_instances').where({ backend }).orderBy('uuid').forUpdate().select('uuid');
  return (await listInstances(db)).filter((each) => each.backend === backend);
}

export const instanceByUuid = (db: Knex, uuid: string): Promise<StoredInstance | undefined> =>
  firstOf(instances(db).where('i.uuid', uuid), instanceOf);

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

/** When it was last changed: whoever speaks to it for long compares that. */
export const versionOf = (uuid: string): Statement => ({
  sql: 'SELECT updated_at AS updatedAt FROM tel_instances WHERE uuid = ?',
  bindings: [uuid],
});

/** Instances of these kinds on which nobody holds the lease of this name, as sweeps want them. */
export const unheld = (db: Knex, backends: readonly Backend[], lease: string): Knex.QueryBuilder =>
  db('tel_instances AS i')
    .leftJoin('kernel_mailbox_leases AS h', (on) => {
      void on
        .on('h.address', db.raw("CONCAT(?, '/', i.uuid)", [lease]))
        .on('h.held_until', '>', db.raw('NOW(3)') as unknown as string);
    })
    .whereIn('i.backend', backends)
    .whereNull('h.address')
    .select({ address: 'i.uuid', tenant: 'i.company_id' });
