/** Rows of tel_locations and tel_instances: a place, and the PBX that stands for it. */
import type { Knex } from 'knex';
import type { CompanyId } from '../model/company';

export interface NewLocation {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly name: string;
}

export interface NewInstance {
  readonly id: string;
  readonly uuid: string;
  readonly companyId: CompanyId;
  readonly locationId: string;
  readonly backend: string;
  readonly address: string;
}

export async function insertLocation(db: Knex, location: NewLocation): Promise<void> {
  const now = db.raw('NOW(3)');
  const { id, companyId, name } = location;
  await db('tel_locations').insert({
    id,
    company_id: companyId,
    name,
    details: '{}',
    created_at: now,
    updated_at: now,
  });
}

export async function insertInstance(db: Knex, instance: NewInstance): Promise<void> {
  const now = db.raw('NOW(3)');
  const { id, uuid, companyId, locationId, backend, address } = instance;
  const links = { company_id: companyId, location_id: locationId };
  await db('tel_instances').insert({
    id,
    uuid,
    ...links,
    backend,
    address,
    details: '{}',
    created_at: now,
    updated_at: now,
  });
}
