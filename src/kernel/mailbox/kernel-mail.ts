/** The kernel's own table of mail, for work whose rows are internal. */
import type { Knex } from 'knex';
import { newId } from '../id';
import type { Statement } from '../mysql/commit-statements';
import { send as runSql } from '../mysql/direct';
import type { Tx } from '../mysql/transaction';
import type { Tenant } from '../actor/address';
import { mailboxAdmin } from './mailbox-admin';
import type { WorkQueueAdmin } from '../jobs/work-queue-admin';
import { wakeAfter, type Mailbox } from './mailbox';
import type { MailTable } from './table';
import { versionOf } from '../jobs/versions';

const TABLE = 'kernel_mail';
/** For packets that insert mail of version 1. The sender wakes the mailbox afterwards. */
export const INTO_MAIL = `${TABLE} (mailbox, tenant, address, body, state, due_at, created_at)`;
const INTO_MAIL_OF_FORM = `${TABLE} (mailbox, tenant, address, body, state, due_at, created_at, version)`;
const MAX_REASON_LENGTH = 1000;

/**
 * The mail of one mailbox; the body is any JSON value. Raise the version when a worker of the previous release would
 * misread a body.
 */
export const kernelMailTable = <Body>(mailbox: string, version = 1): MailTable<Body> => ({
  name: TABLE,
  version,
  scope: { mailbox },
  address: 'address',
  group: 'tenant',
  reason: 'reason',
  maxReasonLength: MAX_REASON_LENGTH,
  dueAt: 'due_at',
  read: (row) => JSON.parse(row['body'] as string) as Body,
});

type Mailed = { readonly tenant: Tenant; readonly address: string };

export interface NewMail<Body> {
  readonly tenant: Tenant;
  /** By default an address of its own: then it waits for no other mail. */
  readonly address?: string;
  /** No secrets: operators may read it. */
  readonly body: Body;
}

/** Sends mail with the transaction, and wakes the mailbox once it has committed. */
export async function send<Body>(tx: Tx, mailbox: Mailbox<Body>, mail: NewMail<Body>): Promise<void> {
  const { tenant, address = newId(), body } = mail;
  const { sql, bindings } = posting(mailbox, [{ tenant, address, body }]);
  await runSql(tx.db, sql, bindings);
  wakeAfter(tx, mailbox, { id: address, group: tenant });
}

/** The same, in the round trip of the commit. */
export function sendLast<Body>(tx: Tx, mailbox: Mailbox<Body>, mail: NewMail<Body>): void {
  const { tenant, address = newId(), body } = mail;
  tx.writeLast(posting(mailbox, [{ tenant, address, body }]));
  wakeAfter(tx, mailbox, { id: address, group: tenant });
}

/** The same as a statement for packets, in the given order. The caller wakes the mailbox. */
export const posting = <Body>(mailbox: Mailbox<Body>, mails: readonly (NewMail<Body> & Mailed)[]): Statement => ({
  sql: `INSERT INTO ${INTO_MAIL_OF_FORM} VALUES ${mails.map(() => "(?, ?, ?, ?, 'pending', NOW(3), NOW(3), ?)").join(', ')}`,
  bindings: mails.flatMap(({ tenant, address, body }) => [
    mailbox.name,
    tenant,
    address,
    JSON.stringify(body),
    versionOf(mailbox.table),
  ]),
});

/** Makes the mail at an address due now, because what it waits for may have happened. */
export async function hasten(tx: Tx, mailbox: Mailbox<unknown>, { tenant, address }: Mailed): Promise<void> {
  const now = tx.db.raw('NOW(3)');
  await tx.db(TABLE).where({ mailbox: mailbox.name, address, state: 'pending' }).update({ due_at: now });
  wakeAfter(tx, mailbox, { id: address, group: tenant });
}

/** For queries: whether mail waits at the address in this column. */
export const mailWaits = (db: Knex, mailbox: string, column: string): Knex.QueryBuilder =>
  db(TABLE).where({ mailbox, state: 'pending' }).where(`${TABLE}.address`, db.ref(column)).select(db.raw('1'));

/** The admin of any such mailbox: shows operators the mail as it is stored. */
export const kernelMailAdmin = (mailbox: Mailbox<unknown>, about: string): WorkQueueAdmin =>
  mailboxAdmin(mailbox, {
    name: mailbox.name,
    about: `${about}; subject is the address`,
    show: (_db, rows) =>
      rows.map((row) => ({
        tenant: row['tenant'] as string,
        subject: row['address'] as string,
        kind: mailbox.name,
        reference: null,
        payload: JSON.parse(row['body'] as string) as unknown,
        more: {},
      })),
  });
