/** Posts messages to outgoing webhook bots. Each bot has one turn at a time, so that no bot delays another. */
import { each } from '../../kernel/mailbox/work';
import { mailboxWorker } from '../../kernel/mailbox/worker';
import { outgoingCalls } from '../actors/mailboxes';
import { callOutgoingBot } from '../commands/bots/call-outgoing-bot';
import type { Chat } from '../parts';

export const chatOutgoing = (chat: Chat) =>
  mailboxWorker(outgoingCalls, { handle: each((turn, call) => callOutgoingBot(chat, turn, call)) });
