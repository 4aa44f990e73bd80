/** Telephony's workers, by the names that operators use: what is done with the mail of each mailbox, and sweeps. */
import { consume, wokenBySweeps, type Workers } from '../kernel/jobs/consume';
import { defineJob } from '../kernel/jobs/job';
import { each } from '../kernel/mailbox/work';
import { mailboxWorker } from '../kernel/mailbox/worker';
import type { Keyspace } from '../kernel/redis/connections';
import * as boxes from './actors/mailboxes';
import { lookAfterPbx } from './actors/pbx-instance/pbx-instance';
import { forgetOldCalls } from './commands/calls/forget-calls';
import { listenToPbxs } from './commands/calls/listen';
import { findOnline, sweepAbsent } from './commands/contacts/show-presence';
import { compareEveryPbx, oldBulkOrders, oldOrders } from './commands/extensions/look-after-orders';
import { carryOutNext } from './commands/extensions/order-many';
import { failFax, handOverFax } from './commands/files/send-fax';
import { mailEntryLinks } from './commands/portal/mail-entry-links';
import { findBehind, forgetOldest, postEvent, takeEvents } from './commands/portal/post-events';
import { deliverPushes } from './commands/push/deliver-pushes';
import { forgetConversation } from './commands/texting/delete-texts';
import { giveUp, sendWaitingText } from './commands/texting/hand-over-text';
import { readCalls } from './commands/texting/read-carrier-calls';
import type { Telephony, Ordering } from './parts';

type Parts = Ordering &
  Keyspace &
  Pick<Telephony, 'drivers' | 'lifecycle' | 'log' | 'mailer' | 'outbound' | 'push' | 'textsUnderWay'>;

/** Old calls are deleted up to an hour later than a company wants. */
const FORGET_MS = 3_600_000;

export const telephonyWorkers = (telephony: Parts): Workers => ({
  'calls-forget': consume(defineJob<null>('calls-forget'), {
    concurrency: 1,
    schedule: () => ({ everyMs: FORGET_MS, payload: null }),
    run: () => forgetOldCalls(telephony),
  }),
  'fax-outbound': mailboxWorker(boxes.faxes, {
    handle: each((_turn, { body }) => handOverFax(telephony, body.faxId)),
    onDead: (tx, { body }, reason) => failFax(tx, body.faxId, reason),
  }),
  'pbx-bulk': mailboxWorker(boxes.bulkOrders, {
    handle: each((turn, { body }) => carryOutNext(telephony, turn, body.id)),
  }),
  pbx: mailboxWorker(
    { ...boxes.pbxInstances, sweepMs: telephony.settings.pbxSweepMs },
    { ...lookAfterPbx(telephony), alsoClears: [oldOrders, oldBulkOrders] },
  ),
  'pbx-listeners': listenToPbxs(telephony),
  'pbx-reconciliation-start': consume(defineJob<null>('pbx-reconcile-all'), {
    concurrency: 1,
    schedule: () => ({ everyMs: telephony.settings.reconcileMs, payload: null }),
    run: (kernel) => compareEveryPbx(kernel),
  }),
  'portal-mail': mailboxWorker(boxes.portalLetters, { handle: each((_turn, mail) => mailEntryLinks(telephony, mail)) }),
  'portal-push': mailboxWorker(boxes.portalPushes, {
    handle: (turn, mails) => deliverPushes(telephony, turn, mails),
  }),
  'portal-webhooks': mailboxWorker(boxes.companyWebhooks, {
    handle: each((turn, mail) => postEvent(telephony, turn, mail)),
    fill: (webhookId) => takeEvents(telephony, webhookId),
    toFill: (db) => [findBehind(db)],
    onDead: (tx, { at }) => forgetOldest(tx, at, 'failed'),
  }),
  'presence-sweep': wokenBySweeps('presence-sweep', {
    everyMs: telephony.settings.presenceSweepMs,
    find: (db) => [findOnline(db)],
    run: (kernel) => sweepAbsent(kernel, telephony.settings),
  }),
  'texting-forget': mailboxWorker(boxes.deletedConversations, {
    handle: each(({ kernel }, { body }) => forgetConversation(kernel, body.conversationId)),
  }),
  'texting-inbound': mailboxWorker(boxes.carrierCalls, { handle: readCalls }),
  'texting-outbound': mailboxWorker(boxes.textsToSend, {
    handle: each((turn, mail) => sendWaitingText(telephony, turn, mail)),
    onDead: async (tx, { body }, reason) => giveUp(body.sendId, reason).write?.(tx),
  }),
});
