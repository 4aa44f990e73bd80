/** Lets time pass for orders that are being undone, so that no test waits for late changes of a PBX. */
import type { Knex } from 'knex';
import type { Kernel } from '../../../src/kernel/kernel';
import { release, take } from '../../../src/kernel/mailbox/lease';
import { commitWrites } from '../../../src/kernel/mysql/commit-statements';
import type { Database } from '../../../src/kernel/mysql/pool';
import { pbxInstances, type PbxMail } from '../../../src/telephony/actors/mailboxes';
import { companyTenant, type CompanyId } from '../../../src/telephony/model/companies/company';
import { until } from '../until';

/** Runs the work while no worker has its turn at this PBX. */
export async function withLease(mysql: Database, instance: string, work: () => Promise<unknown>): Promise<void> {
  const taken = await until(
    () => take(mysql, `pbx/${instance}`, 60_000, []),
    (came) => 'lease' in came,
  );
  try {
    await work();
  } finally {
    if ('lease' in taken) await release(mysql, taken.lease);
  }
}

/** The waiting mail of a PBX, by kind. */
export const pbxMail = (mysql: Database, instance: string, kind: PbxMail['kind']): Knex.QueryBuilder =>
  mysql('kernel_mail')
    .where({ mailbox: 'pbx', address: instance, state: 'pending' })
    .where('body', 'like', `%"kind":"${kind}"%`);

/** Sends mail to a PBX, about a row that a test has written by itself. */
export async function sendToPbx(kernel: Kernel, instance: string, body: PbxMail): Promise<void> {
  const { company_id: companyId } = (await kernel
    .mysql('tel_instances')
    .where({ uuid: instance })
    .first('company_id')) as { company_id: CompanyId };
  await commitWrites(kernel, (tx) => pbxInstances.at(companyTenant(companyId), instance).send(tx, body));
}

/** As if an hour had passed: each undo checks once more, and expects no late change after that. */
export const passAnHour = (mysql: Database, instance: string): Promise<void> =>
  withLease(mysql, instance, async () => {
    await mysql('tel_operations')
      .where({ instance, state: 'undoing' })
      .update({ called_at: mysql.raw('called_at - INTERVAL 1 HOUR') });
    await pbxMail(mysql, instance, 'undo').update({ due_at: mysql.raw('NOW(3)') });
  });
