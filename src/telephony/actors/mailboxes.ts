/** Definitions of telephony's mailboxes: what differs between the kinds of work that wait in rows. */
import { mailboxAdmin } from '../../kernel/mailbox/mailbox-admin';
import { defineMailbox } from '../../kernel/mailbox/mailbox';
import { kernelMailAdmin, kernelMailTable } from '../../kernel/mailbox/kernel-mail';
import type { Database } from '../../kernel/mysql/pool';
import { deviceMailbox } from '../../kernel/push/device-mailbox';
import { MAX_ATTEMPTS, pauseAfter } from '../model/portal/company-webhook';
import type { PortalLetter } from '../model/portal/portal-letters';
import type { CompanyNews, DeviceNews } from '../model/push/push-news';
import type { OperationId } from '../model/extensions/operation';
import type { TextToSend } from '../model/texting/texting';
import { discard } from '../store/extensions/operation-endings';
import * as reloads from '../store/sites/reloads';
import { deliveryAdmin, deliveryTable } from '../store/portal/webhook-deliveries';
import { callAdmin, callTable } from '../store/texting/carrier-calls';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A sign-in link is useless after this long. */
export const STALE_LETTER_MS = 2 * HOUR_MS;

/** Mails with portal sign-in links, independent of each other. Not repeatable: a sent mail cannot be recalled. */
export const portalLetters = defineMailbox('portal-mail', {
  table: kernelMailTable<PortalLetter>('portal-mail'),
  concurrency: 4,
  attempts: 20,
  giveUpMs: STALE_LETTER_MS,
  pauseMs: (attempts) => 30_000 * 2 ** Math.min(attempts, 5),
  attemptMs: 120_000,
  isRepeatable: false,
  order: 'loose',
  maxInATurn: 1,
  keep: { done: 0, dropped: 0, failed: 7 * DAY_MS },
});

/** Events for a company's webhook, in order. A repeated event keeps its id, so the receiver can drop duplicates. */
export const companyWebhooks = defineMailbox('portal-webhooks', {
  table: deliveryTable,
  concurrency: 8,
  attempts: MAX_ATTEMPTS,
  pauseMs: (attempts) => pauseAfter(attempts + 1),
  attemptMs: 15_000,
  isRepeatable: true,
  order: 'strict',
  maxInATurn: 100,
  // No expiry by age: the newest deliveries of each webhook are kept.
  keep: {},
  // Upper bound for how late an event may be noticed.
  sweepMs: 2000,
});

/** What devices of the portal are to be pushed, by device; before that, what is new in a company, by company. */
export const portalPushes = deviceMailbox<CompanyNews | DeviceNews>('portal-push');

/** Repeatable work: after a crash another worker takes over at once. */
const IN_THE_BACKGROUND = {
  attempts: 20,
  pauseMs: (attempts: number) => Math.min(1000 * 2 ** attempts, HOUR_MS / 6),
  isRepeatable: true,
  order: 'loose',
  keep: { done: 0, dropped: 0, failed: 30 * DAY_MS },
} as const;

/** Faxes for their carrier. The carrier recognises a repeated fax by its id. */
export const faxes = defineMailbox('fax-outbound', {
  ...IN_THE_BACKGROUND,
  table: kernelMailTable<{ readonly faxId: string }>('fax-outbound'),
  concurrency: 8,
  attemptMs: 60_000,
  maxInATurn: 1,
});

/** Deleted conversations, whose texts are to be emptied. */
export const deletedConversations = defineMailbox('texting-forget', {
  ...IN_THE_BACKGROUND,
  table: kernelMailTable<{ readonly conversationId: string }>('texting-forget'),
  concurrency: 2,
  attemptMs: 60_000,
  maxInATurn: 20,
});

/** Calls from carriers, per account in order of arrival. A call that still waits for its text lets later ones pass. */
export const carrierCalls = defineMailbox('texting-inbound', {
  table: callTable,
  concurrency: 8,
  // About an hour in all.
  attempts: 12,
  pauseMs: (attempts) => Math.min(1000 * 2 ** attempts, HOUR_MS / 6),
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'loose',
  batch: 50,
  maxInATurn: 200,
  isBursty: true,
  // A carrier may repeat a call for this long. Dead letters stay until an operator retries them.
  keep: { done: 7 * DAY_MS, dropped: 30 * DAY_MS },
});

/**
 * Texts for carriers, in the order they were written within each conversation. If a worker dies, the next one repeats
 * the call only for carriers that deduplicate; for others the text records that the carrier was called.
 */
export const textsToSend = defineMailbox('texting-outbound', {
  table: kernelMailTable<TextToSend>('texting-outbound'),
  // Enough for several carriers that hang at once: each may hold a fifth of the slots until its breaker opens.
  concurrency: 100,
  // CARRIER_GIVE_UP_MS limits the retries instead.
  attempts: Infinity,
  pauseMs: (attempts) => Math.min(2000 * 2 ** attempts, 60_000),
  attemptMs: 60_000,
  isRepeatable: true,
  order: 'strict',
  maxInATurn: 100,
  keep: { done: 0, dropped: 0, failed: 30 * DAY_MS },
});

/** Bulk orders of extensions. An attempt does the next few rows; each row's order has an idempotency key. */
export const bulkOrders = defineMailbox('pbx-bulk', {
  ...IN_THE_BACKGROUND,
  table: kernelMailTable<{ readonly id: string }>('pbx-bulk'),
  concurrency: 4,
  // Longer than one row may wait for its PBX.
  attemptMs: 11 * MINUTE_MS,
  maxInATurn: 5,
});

/**
 * An order to carry out or to undo, a reload to begin and to look after, a comparison with the database, or a look at
 * what somebody has changed at the telephone of an extension.
 */
export type PbxMail =
  | { readonly kind: 'order' | 'undo'; readonly id: OperationId }
  | { readonly kind: 'reload' | 'comparison' }
  | { readonly kind: 'state'; readonly number: number };

/**
 * What is to be done at a PBX instance. All of it may be repeated: before a worker repeats a call, it reads the PBX. Mail
 * that waits for another attempt lets later mail pass; orders for one extension still keep their order.
 */
export const pbxInstances = defineMailbox('pbx', {
  ...IN_THE_BACKGROUND,
  table: kernelMailTable<PbxMail>('pbx'),
  // Each kind of mail has its own limit (see pbx-instance.ts).
  attempts: Infinity,
  pauseMs: (attempts) => Math.min(200 * 2 ** attempts, 5000),
  // One slot for each PBX that may hang at the same time.
  concurrency: 200,
  // Long enough for a PBX with many extensions that must be repaired one by one.
  attemptMs: 30 * MINUTE_MS,
  maxInATurn: 1000,
});

/** What a discarded order may have left on the PBX is found by the comparison. */
async function discardAtPbx(db: Database, address: string, body: PbxMail): Promise<void> {
  if ('id' in body) await discard(db, body.id);
  if (body.kind === 'reload') await reloads.remove(db, address);
}

export const admins = [
  mailboxAdmin(carrierCalls, callAdmin),
  kernelMailAdmin(textsToSend, 'texts on their way to a carrier'),
  kernelMailAdmin(faxes, 'faxes on their way to a carrier'),
  kernelMailAdmin(bulkOrders, 'orders of many extensions'),
  kernelMailAdmin(pbxInstances, 'orders, undos, reloads and comparisons of PBXs', discardAtPbx),
  kernelMailAdmin(deletedConversations, 'deleted conversations that are being emptied'),
  kernelMailAdmin(portalPushes, 'push notifications of the portal'),
  kernelMailAdmin(portalLetters, 'letters with links into the portal'),
  mailboxAdmin(companyWebhooks, deliveryAdmin),
];
