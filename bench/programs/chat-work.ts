/** Ours: the database work of chat: send, read, mark and register, one at a time. */
import { createConnection } from 'mysql2/promise';
import { loadConfig } from '../../config';
import { chat } from '../../src/chat';
import { registerQueue } from '../../src/chat/commands/events/event-queues';
import { sendMessage } from '../../src/chat/commands/messages/send-message';
import { markAllRead, markStreamRead, markTopicRead } from '../../src/chat/commands/reading/mark-read';
import type { RealmId } from '../../src/chat/model/organisation/realm';
import { readNarrow } from '../../src/chat/model/reading/narrow';
import type { User } from '../../src/chat/model/users/user';
import type { Chat } from '../../src/chat/parts';
import { getMessages } from '../../src/chat/queries/reading/get-messages';
import * as users from '../../src/chat/store/users/users';
import { openKernel, type Kernel } from '../../src/kernel/kernel';
import type { Measurement } from '../harness/benchmark';
import { closedLoop } from '../harness/closed-loop';
import { program, type Shape } from '../harness/program';
import { ROW } from './payload';
import { watchStatements } from './statements';

type Work =
  | { readonly kind: 'send'; readonly stream: string }
  | { readonly kind: 'read'; readonly narrow: string }
  | {
      readonly kind: 'mark';
      readonly what: 'all' | 'stream' | 'topic';
      readonly streamId: number;
      readonly topic: string;
    }
  | { readonly kind: 'register' };

export interface ChatWork extends Shape {
  readonly options: { readonly environment: Readonly<Record<string, string>> };
  readonly ready: null;
  readonly order: Work & {
    readonly realmId: number;
    /** The users who act, in turn. */
    readonly userIds: readonly number[];
    readonly milliseconds: number;
    /** With more than one, only rates and CPU times are measured. */
    readonly concurrency?: number;
  };
  readonly report: Measurement;
}

/** Of the archive's million messages. */
const READ_UNTIL = 950_000;
const CONTENT = 'fifty characters of plain text, more or less so...';

program<ChatWork>(async ({ environment }) => {
  const config = loadConfig({ ...environment, PUBLIC_URL: 'http://127.0.0.1' });
  const kernel = await openKernel(config);
  const parts = await chat(config).open!(kernel);
  const statements = watchStatements(kernel);
  const database = await createConnection(environment['DATABASE_URL']!);
  const insert = () => database.execute('INSERT INTO bench_rows (body) VALUES (?)', [ROW]);
  const people = new Map<number, User>();

  async function personOf(realmId: number, id: number): Promise<User> {
    const person = people.get(id) ?? (await users.byId(kernel.mysql, realmId as RealmId, id))!;
    people.set(id, person);
    return person;
  }

  return {
    ready: null,
    async run({ realmId, userIds, milliseconds, concurrency = 1, ...work }) {
      const who = await Promise.all(userIds.map((id) => personOf(realmId, id)));
      let turn = 0;
      const once = () => workOf(parts, who[turn++ % who.length]!, work, config);
      const prepare = work.kind === 'mark' ? () => forgetReading(kernel, who[turn % who.length]!) : undefined;
      if (concurrency === 1)
        return statements.measure(milliseconds, once, { yardstick: insert, ...(prepare ? { prepare } : {}) });
      const measurement = await closedLoop({ concurrency, milliseconds }, once);
      await kernel.outbox.settle();
      return measurement;
    },
  };
});

/** Marks everything as unread again that the previous turn marked as read. */
async function forgetReading(kernel: Kernel, { id }: User): Promise<void> {
  await kernel.mysql('chat_users').where({ id }).update({ read_id: 0 });
  await kernel.mysql('chat_subscriptions').where({ user_id: id }).update({ read_id: READ_UNTIL });
  await kernel.mysql('chat_topic_reads').where({ user_id: id }).delete();
}

function workOf(parts: Chat, by: User, work: Work, settings: ReturnType<typeof loadConfig>): Promise<unknown> {
  switch (work.kind) {
    case 'send':
      return sendMessage(parts, by, {
        type: 'stream',
        to: work.stream,
        topic: 'benchmarks',
        content: CONTENT,
        client: 'bench',
      });
    case 'read':
      return getMessages(parts.mysql, by, {
        anchor: 1e15,
        before: 100,
        after: 0,
        narrow: readNarrow(work.narrow),
        limitBytes: 8_388_608,
        wantsHtml: true,
        computesAvatars: true,
      });
    case 'mark':
      if (work.what === 'all') return markAllRead(parts, by);
      if (work.what === 'stream') return markStreamRead(parts, by, work.streamId);
      return markTopicRead(parts, by, work.streamId, work.topic);
    case 'register':
      return registerQueue(parts, by, {
        filters: {
          eventTypes: null,
          narrow: [],
          allPublicStreams: false,
          wantsHtml: false,
          computesAvatars: true,
          includeSubscribers: false,
        },
        fetchTypes: null,
        expiryMs: settings.queueExpiryMs,
        settings,
        party: { caller: String(by.id), address: '127.0.0.1', isGone: () => false },
        publicUrl: 'http://archive.example',
      });
  }
}
