/** Sends faxes to carriers. Any number of workers may run it. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { faxes } from '../actors/mailboxes';
import { failFax, handOverFax } from '../commands/files/send-fax';
import type { Telephony } from '../parts';

export const faxOutbound = (telephony: Telephony) =>
  mailboxWorker(faxes, {
    handle: each((_turn, { body }) => handOverFax(telephony, body.faxId)),
    onDead: (tx, { body }, reason) => failFax(tx, body.faxId, reason),
  });
