/** Processes bulk orders of extensions, a few rows at a time, so that single orders are not held up. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { bulkOrders } from '../actors/mailboxes';
import { carryOutNext } from '../commands/extensions/order-many';
import type { Telephony } from '../parts';

export const pbxBulk = (telephony: Telephony) =>
  mailboxWorker(bulkOrders, { handle: each((turn, { body }) => carryOutNext(telephony, turn, body.id)) });
