/** Reads the calls of carriers, one account at a time, so that no account delays another. */
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { carrierCalls } from '../actors/mailboxes';
import { readCalls } from '../commands/texting/read-carrier-calls';

export const textingInbound = mailboxWorker(carrierCalls, { handle: readCalls });
