/** Sends several messages of one sender in their order, gathered into few packets; each has an outcome of its own. */
import type { Kernel } from '../../kernel/kernel';
import { messageWriter } from '../actors/message-writer';
import type { Draft } from '../model/draft';
import type { MessageId } from '../model/message';
import type { User } from '../model/user';
import { prepareMessage, sendMessage } from './send-message';

export type Sent = { readonly id: MessageId } | { readonly error: unknown };

export async function sendMessages(kernel: Kernel, by: User, drafts: readonly Draft[]): Promise<Sent[]> {
  const prepared = await Promise.allSettled(drafts.map((draft) => prepareMessage(kernel, by, draft)));
  const writer = messageWriter(kernel, by.realmId);
  // Handed over in one go: the writer keeps their order.
  const written = await Promise.allSettled(
    prepared.map((each) => (each.status === 'fulfilled' ? writer.write(each.value.message) : Promise.reject(each))),
  );
  const outcomes: Sent[] = [];
  for (const [index, outcome] of written.entries()) {
    outcomes.push(outcome.status === 'fulfilled' ? { id: outcome.value } : await sendAlone(kernel, by, drafts[index]!));
  }
  return outcomes;
}

/** The stream changed meanwhile, it was sent before, or it cannot be sent: sending it by itself tells which. */
async function sendAlone(kernel: Kernel, by: User, draft: Draft): Promise<Sent> {
  try {
    return await sendMessage(kernel, by, draft);
  } catch (error) {
    return { error };
  }
}
