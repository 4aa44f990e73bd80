/**
 * MessageWriter: gathers the messages that are being sent on this node and writes each gathering in one packet. While one
 * packet is under way the next gathers, so a lone sender waits for nothing and many senders share the cost of a commit.
 */
import type { Kernel } from '../../../kernel/kernel';
import { CommitUnknown } from '../../../kernel/mysql/outcome';
import { perKernel } from '../../../kernel/per-kernel';
import type { MessageId } from '../../model/message';
import type { RealmId } from '../../model/realm';
import { ensureCounter, writeMessages, type NewMessage } from '../../store/message-packet';

interface Waiting {
  readonly message: NewMessage;
  resolve(id: MessageId): void;
  reject(error: unknown): void;
}

/** A packet of this many stays well below the server's limit on packets, and below a few milliseconds. */
const MOST_AT_ONCE = 64;

class MessageWriter {
  readonly #kernel: Kernel;
  readonly #realmId: RealmId;
  #waiting: Waiting[] = [];
  #writing = false;
  #hasCounter = false;

  constructor(kernel: Kernel, realmId: RealmId) {
    this.#kernel = kernel;
    this.#realmId = realmId;
  }

  write(message: NewMessage): Promise<MessageId> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, MOST_AT_ONCE));
    this.#writing = false;
  }

  async #writeBatch(batch: Waiting[]): Promise<void> {
    try {
      const ids = await this.#write(batch.map(({ message }) => message));
      for (const [index, each] of batch.entries()) each.resolve(ids[index]!);
    } catch (error) {
      // One bad row must fail only its own sender; but what may have been written is not written again.
      const isWorthTrying = batch.length > 1 && !(error instanceof CommitUnknown);
      for (const each of batch) {
        if (isWorthTrying) await this.#writeBatch([each]);
        else each.reject(error);
      }
    }
  }

  async #write(messages: NewMessage[]): Promise<MessageId[]> {
    if (!this.#hasCounter) await ensureCounter(this.#kernel, this.#realmId);
    this.#hasCounter = true;
    return writeMessages(this.#kernel, this.#realmId, messages);
  }
}

const writers = perKernel(() => new Map<RealmId, MessageWriter>());

export function messageWriter(kernel: Kernel, realmId: RealmId): { write(message: NewMessage): Promise<MessageId> } {
  const own = writers(kernel);
  let writer = own.get(realmId);
  if (!writer) own.set(realmId, (writer = new MessageWriter(kernel, realmId)));
  return writer;
}
