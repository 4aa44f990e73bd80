/** Rows of tel_push_subscriptions and tel_push_shown: browsers that receive pushes of the portal, and what they show. */
import type { Knex } from 'knex';
import { pushDevicesIn } from '../../../kernel/push/push-devices';
import { pushShownIn } from '../../../kernel/push/push-shown';
import type { CompanyId } from '../../model/companies/company';
import type { ContactId } from '../../model/contacts/contact';

const TABLE = 'tel_push_subscriptions';

export const pushDevices = pushDevicesIn(TABLE, 'contact_id');
export const pushShown = pushShownIn('tel_push_shown', 'contact_id');

export const isAnyIn = async (db: Knex, companyId: CompanyId): Promise<boolean> =>
  (await db(TABLE).where({ company_id: companyId }).first('id')) !== undefined;

export const ofCompany = (db: Knex, companyId: CompanyId): Promise<number[]> =>
  db(TABLE).where({ company_id: companyId }).orderBy('id').pluck('id');

/** Whose devices show it. */
export const whoIsShown = (db: Knex, tag: string): Promise<ContactId[]> =>
  db('tel_push_shown').where({ tag }).distinct().pluck('contact_id');

/** Whether pushes may say who wrote what. */
export async function mayTell(db: Knex, companyId: CompanyId): Promise<boolean> {
  const row = (await db('tel_companies').where({ id: companyId }).first('push_content')) as { push_content: number };
  return row.push_content === 1;
}

export async function setMayTell(db: Knex, companyId: CompanyId, isAllowed: boolean): Promise<void> {
  await db('tel_companies').where({ id: companyId }).update({ push_content: isAllowed });
}
