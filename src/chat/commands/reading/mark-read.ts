/** Marks messages as read, and moves the pointer that old clients use as their read position. */
import { Fault } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { WRITTEN } from '../../../kernel/mailbox/mailbox';
import { commitPacket, type Packet } from '../../../kernel/mysql/packet';
import type { Transact } from '../../../kernel/mysql/transaction';
import { readMarksOf } from '../../actors/mailboxes';
import { eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { invalidMessageId } from '../../model/users/user-faults';
import { accessMessage } from '../../queries/messages/access-message';
import { everythingPacket, streamPacket, topicPacket } from '../../store/reading/mark-packets';
import * as users from '../../store/users/users';

type Parts = Pick<Kernel, 'jobs' | 'mysql' | 'outbox' | 'pause'>;

async function commitMark<T>(kernel: Parts, by: User, packet: Packet<T>): Promise<T> {
  const value = await commitPacket(kernel, packet);
  readMarksOf(by.realmId, by.id).send(kernel.jobs, WRITTEN);
  return value;
}

/** Marks all messages that a user ever received as read. */
export const markAllRead = (kernel: Parts, by: User): Promise<void> => commitMark(kernel, by, everythingPacket(by));

/** Marks all messages that a user received in a stream as read. */
export async function markStreamRead(kernel: Parts, by: User, streamId: number): Promise<void> {
  const { stream } = await commitMark(kernel, by, streamPacket(by, streamId));
  if (stream === null) throw invalidStreamId();
}

/** Marks all messages that a user received in a topic as read. */
export async function markTopicRead(kernel: Parts, by: User, streamId: number, name: string): Promise<void> {
  for (const isUsual of [true, false]) {
    const packet = topicPacket(by, streamId, { name: name.trim(), isUsual });
    const { stream, topic } = await commitMark(kernel, by, packet);
    if (stream === null) throw invalidStreamId();
    if (topic !== null) return;
  }
  throw badRequest(`No such topic '${name}'`);
}

/** Moves the pointer that old clients use as their read position. It only moves forwards. */
export async function movePointer(transaction: Transact, by: User, pointer: number): Promise<void> {
  await transaction(async (tx) => {
    const user = (await users.lock(tx.db, by.realmId, by.id))!;
    if (pointer <= user.pointer) return;
    await accessMessage(tx.db, by, pointer).catch((error: unknown) => {
      throw error instanceof Fault ? invalidMessageId() : error;
    });
    await users.update(tx.db, by.id, { pointer });
    tx.deliver(eventDelivery(by.realmId, [by.id], { type: 'pointer', pointer }));
  });
}
