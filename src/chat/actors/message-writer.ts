/**
 * MessageWriter: gathers the messages that are being sent to an organisation on this node, and writes each gathering in
 * one packet. A lone sender waits for nothing, and many senders share the cost of a commit.
 */
import type { Kernel } from '../../kernel/kernel';
import { openGathering, type Gathering } from '../../kernel/mysql/gathering';
import { perKernel } from '../../kernel/per-kernel';
import type { MessageId } from '../model/message';
import type { RealmId } from '../model/realm';
import { ensureCounter, writeMessages, type NewMessage } from '../store/message-packet';

type MessageWriter = Gathering<NewMessage, MessageId>;

const writers = perKernel(() => new Map<RealmId, MessageWriter>());

export function messageWriter(kernel: Kernel, realmId: RealmId): MessageWriter {
  const own = writers(kernel);
  let writer = own.get(realmId);
  if (!writer) own.set(realmId, (writer = openWriter(kernel, realmId)));
  return writer;
}

function openWriter(kernel: Kernel, realmId: RealmId): MessageWriter {
  let hasCounter = false;
  return openGathering({
    weigh: ({ content, rendered, event }) => content.length + rendered.length + event.lead.length + event.rest.length,
    async write(messages: readonly NewMessage[]) {
      if (!hasCounter) await ensureCounter(kernel, realmId);
      hasCounter = true;
      return writeMessages(kernel, realmId, messages);
    },
  });
}
