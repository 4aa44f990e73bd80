/** Sends several messages of one sender in order, in few batches. Each message has its own outcome. */
import { setImmediate } from 'node:timers/promises';
import type { Draft } from '../../model/messages/draft';
import type { MessageId } from '../../model/messages/message';
import type { User } from '../../model/users/user';
import type { Sending } from '../../parts';
import { prepareMessage, sendMessage } from './send-message';

/** Preparing is mostly rendering. After this many messages, the event loop gets a turn, mainly for database replies. */
const MAX_IN_A_ROW = 20;

type Prepared = Awaited<ReturnType<typeof prepareMessage>>;

export type Sent = { readonly id: MessageId } | { readonly error: unknown };

export async function sendMessages(chat: Sending, by: User, drafts: readonly Draft[]): Promise<Sent[]> {
  const prepared: PromiseSettledResult<Prepared>[] = [];
  for (let start = 0; start < drafts.length; start += MAX_IN_A_ROW) {
    const some = drafts.slice(start, start + MAX_IN_A_ROW);
    prepared.push(...(await Promise.allSettled(some.map((draft) => prepareMessage(chat, by, draft)))));
    await setImmediate();
  }
  const writer = chat.messageWriters.of(by.realmId);
  // Passed on together: the writer keeps their order.
  const written = await Promise.allSettled(
    prepared.map((each) => (each.status === 'fulfilled' ? writer.write(each.value.message) : Promise.reject(each))),
  );
  const outcomes: Sent[] = [];
  for (const [index, outcome] of written.entries()) {
    outcomes.push(outcome.status === 'fulfilled' ? { id: outcome.value } : await sendAlone(chat, by, drafts[index]!));
  }
  return outcomes;
}

/** Sends a message alone, to learn why the batch failed: the stream changed, it was sent before, or it is invalid. */
async function sendAlone(chat: Sending, by: User, draft: Draft): Promise<Sent> {
  try {
    return await sendMessage(chat, by, draft);
  } catch (error) {
    return { error };
  }
}
