/** The kernel's own table of mail, for work whose rows are internal. */
import type { Knex } from 'knex';
import { mailboxAdmin } from './mailbox-admin';
import type { WorkQueueAdmin } from '../jobs/work-queue-admin';
import type { Mailbox, MailTable } from './mailbox';

const TABLE = 'kernel_mail';
/** For packets that insert mail of version 1. The sender then wakes the mailbox (see WRITTEN). */
export const INTO_MAIL = `${TABLE} (mailbox, tenant, address, body, state, due_at, created_at)`;
const INTO_MAIL_OF_FORM = `${TABLE} (mailbox, tenant, address, body, state, due_at, created_at, version)`;
const NEW_MAIL = "(?, ?, ?, ?, 'pending', NOW(3) + INTERVAL ? MICROSECOND, NOW(3), ?)";
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
  tenant: 'tenant',
  reason: 'reason',
  maxReasonLength: MAX_REASON_LENGTH,
  dueAt: 'due_at',
  read: (row) => JSON.parse(row['body'] as string) as Body,
  insertion: (tenant, address, bodies, afterMs) => ({
    sql: `INSERT INTO ${INTO_MAIL_OF_FORM} VALUES ${bodies.map(() => NEW_MAIL).join(', ')}`,
    bindings: bodies.flatMap((body) => [
      mailbox,
      tenant,
      address,
      JSON.stringify(body),
      Math.round(afterMs * 1000),
      version,
    ]),
  }),
});

/** The admin of any such mailbox: shows operators the mail as it is stored. */
export const kernelMailAdmin = <Body>(
  mailbox: Mailbox<Body>,
  about: string,
  /** Runs in the transaction that discards mail. */
  onDiscard?: (db: Knex, address: string, body: Body) => Promise<unknown>,
): WorkQueueAdmin =>
  mailboxAdmin(mailbox, {
    name: mailbox.name,
    about: `${about}; subject is the address`,
    async onDiscard(db, rows) {
      for (const row of rows) await onDiscard?.(db, row['address'] as string, mailbox.table.read(row));
    },
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
