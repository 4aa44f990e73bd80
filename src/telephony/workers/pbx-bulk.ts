/** Carries out orders of many extensions; a few at a time, so that single ones still find room. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { bulkOrders } from '../actors/mailboxes';
import { carryOutNext } from '../commands/extensions/order-many';
import type { Telephony } from '../parts';

export const pbxBulk = (telephony: Telephony) =>
  mailboxWorker(bulkOrders, { handle: each((turn, { body }) => carryOutNext(telephony, turn, body.id)) });
