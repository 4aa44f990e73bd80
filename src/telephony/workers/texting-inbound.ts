/** Processes the calls of carriers. Accounts are processed separately, so that none delays another. */
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { carrierCalls } from '../actors/mailboxes';
import { readCalls } from '../commands/texting/read-carrier-calls';

export const textingInbound = mailboxWorker(carrierCalls, { handle: readCalls });
