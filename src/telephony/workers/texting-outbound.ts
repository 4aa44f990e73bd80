/** Sends texts to carriers, in order within each conversation. Any number of workers may run it. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { textsToSend } from '../actors/mailboxes';
import { giveUp, sendWaitingText } from '../commands/texting/hand-over-text';
import type { Telephony } from '../parts';

export const textingOutbound = (telephony: Telephony) =>
  mailboxWorker(textsToSend, {
    handle: each((turn, mail) => sendWaitingText(telephony, turn, mail)),
    onDead: async (tx, { body }, reason) => giveUp(body.sendId, reason).write?.(tx),
  });
