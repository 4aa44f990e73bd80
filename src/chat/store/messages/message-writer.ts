/**
 * Batches the messages that are sent to an organisation on this node, and writes each batch in one transaction. A lone
 * sender does not wait; concurrent senders share the cost of a commit.
 */
import { Cache } from '../../../kernel/cache/cache';
import type { Kernel } from '../../../kernel/kernel';
import { openBatchWriter, type BatchWriter } from '../../../kernel/mysql/batch-writer';
import type { MessageId } from '../../model/messages/message';
import type { RealmId } from '../../model/organisation/realm';
import { ensureCounter, writeMessages, type NewMessage } from './message-packet';

export type MessageWriter = BatchWriter<NewMessage, MessageId>;

/** An evicted writer finishes its batch. Its successor may write concurrently, as other nodes do: MySQL assigns ids. */
const BOUNDS = { entries: 10_000, bytes: 4 * 1024 * 1024, ttlMs: 600_000 };

export class MessageWriters {
  readonly #kernel: Pick<Kernel, 'mysql' | 'outbox' | 'pause'>;
  readonly #writers: Cache<RealmId, MessageWriter>;

  constructor(kernel: Pick<Kernel, 'mysql' | 'outbox' | 'pause'>, bounds = BOUNDS) {
    this.#kernel = kernel;
    this.#writers = new Cache(bounds);
  }

  get size(): number {
    return this.#writers.size;
  }

  of(realmId: RealmId): MessageWriter {
    let writer = this.#writers.get(realmId);
    if (!writer) this.#writers.set(realmId, (writer = openWriter(this.#kernel, realmId)));
    return writer;
  }
}

function openWriter(kernel: Pick<Kernel, 'mysql' | 'outbox' | 'pause'>, realmId: RealmId): MessageWriter {
  let hasCounter = false;
  return openBatchWriter({
    weigh: ({ content, rendered, event }) => content.length + rendered.length + event.prefix.length + event.rest.length,
    async write(messages: readonly NewMessage[]) {
      if (!hasCounter) await ensureCounter(kernel.mysql, realmId);
      hasCounter = true;
      return writeMessages(kernel, realmId, messages);
    },
  });
}
