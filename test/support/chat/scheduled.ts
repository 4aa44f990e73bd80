/** Scheduled messages and reminders for tests with real processes: asking for them, their time, what became of them. */
import type { Kernel } from '../../../src/kernel/kernel';
import type { Environment } from '../kernel/cluster';
import { startProcess, type TestProcess } from '../processes/processes';
import type { TestUser } from './chat';

export const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

/** Far enough away that nothing is due before `makeDue` says so. */
const LATER = 3600;

export interface Place {
  readonly streamId: number;
  readonly topic: string;
}

export async function schedule(by: TestUser, { streamId, topic }: Place, content: string, at = inSeconds(LATER)) {
  const form = { type: 'stream', to: streamId, topic, content, scheduled_delivery_timestamp: at };
  const { body } = await by.post('/scheduled_messages', form);
  return body['scheduled_message_id'] as number;
}

export async function remind(by: TestUser, messageId: number, note: string, at = inSeconds(LATER)): Promise<number> {
  const { body } = await by.post('/reminders', { message_id: messageId, scheduled_delivery_timestamp: at, note });
  return body['reminder_id'] as number;
}

/** As if the time of all had come. A worker sees it at its next sweep. */
export const makeDue = ({ mysql }: Kernel): PromiseLike<number> =>
  mysql('kernel_mail')
    .where({ mailbox: 'chat-scheduled' })
    .update({ due_at: mysql.raw('NOW(3) - INTERVAL 1 HOUR') });

/** How many wait to be sent, or to have their end written down. */
export async function waiting({ mysql }: Kernel): Promise<number> {
  const [mail] = (await mysql('kernel_mail').where({ mailbox: 'chat-scheduled' }).count({ count: '*' })) as Counted;
  const [rows] = (await mysql('chat_scheduled_messages').whereNull('error').count({ count: '*' })) as Counted;
  return mail.count + rows.count;
}

type Counted = [{ readonly count: number }];

export async function startScheduledWorker(environment: Environment, more: Environment = {}): Promise<TestProcess> {
  const env = { ...environment, LOG_LEVEL: 'info', ...more };
  const worker = startProcess('workers/main.ts', env, ['chat-scheduled']);
  await worker.line(/worker ready/);
  return worker;
}
