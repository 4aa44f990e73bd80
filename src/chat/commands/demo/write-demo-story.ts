/** Fills the demo organisation with sample content: streams, pictures, conversations, a poll and a to-do list. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileDraft } from '../../../kernel/files/stored-file';
import type { Storage } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { DemoMessage, DemoPerson } from '../../model/demo/demo-data';
import { DEMO_STORY, DEMO_STREAMS, DEMO_TASKS } from '../../model/demo/story';
import { WIDGET } from '../../model/messages/submessage';
import type { RealmId } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat, Sending } from '../../parts';
import * as messages from '../../store/messages/messages';
import * as realms from '../../store/organisation/realms';
import * as users from '../../store/users/users';
import { react } from '../messages/reactions';
import { addSubmessage } from '../messages/add-submessage';
import { sendMessage } from '../messages/send-message';
import { updateFlags } from '../reading/update-flags';
import { makeAvatar, storeAvatar } from '../uploads/change-pictures';
import { uploadFile } from '../uploads/upload-file';
import { addDemoStream } from './seed-demo';

type Parts = Pick<Chat, 'pictures' | 'transaction'>;

type People = Readonly<Record<DemoPerson, User>>;

const PEOPLE: readonly DemoPerson[] = ['owner', 'member', 'other', 'guest', 'webhook-bot', 'helper-bot'];

/** Runs on a freshly seeded organisation. If interrupted, it leaves less content. */
export async function writeDemoStory(chat: Sending & Pick<Chat, 'pictures'>): Promise<void> {
  const realm = (await realms.bySubdomain(chat.mysql, ''))!;
  const people = await findPeople(chat.mysql, realm.id);
  for (const name of PEOPLE) await givePicture(chat, people[name], name);
  const { guest: _, ...insiders } = people;
  const subscribers = Object.values(insiders).map(({ id }) => id);
  for (const stream of DEMO_STREAMS)
    await addDemoStream(chat.transaction, { realmId: realm.id, subscribers, ...stream });
  const read: number[] = [];
  for (const said of DEMO_STORY) {
    const id = await say(chat, people, said);
    if (said.isUnread !== true) read.push(id);
  }
  // Flags of messages that a user has not received are left alone.
  for (const person of Object.values(people)) await readWhatArrived(chat.transaction, person, read);
}

async function findPeople(db: Database, realmId: RealmId): Promise<People> {
  const found = await Promise.all(
    PEOPLE.map(async (name) => [name, (await users.byEmail(db, realmId, `${name}@example.com`))!] as const),
  );
  return Object.fromEntries(found) as Record<DemoPerson, User>;
}

async function pictureFile(name: string): Promise<FileDraft> {
  const bytes = await readFile(join(__dirname, '../../model/demo', `${name}.png`));
  return { name: `${name}.png`, type: 'image/png', size: bytes.length, open: () => Readable.from([bytes]) };
}

async function givePicture(chat: Parts, person: User, name: DemoPerson): Promise<void> {
  const draft = await makeAvatar(chat.pictures, person, await pictureFile(name));
  await chat.transaction(({ db }) => storeAvatar(db, person, draft));
}

async function say(chat: Sending, people: People, said: DemoMessage): Promise<number> {
  const by = people[said.by];
  const { id } = await sendMessage(chat, by, {
    ...addressOf(people, said),
    content: await contentOf(chat, by, said),
    client: by.botType === null ? 'website' : 'ZulipDemo',
  });
  const sentAt = Math.floor(chat.clock.now().getTime() / 1000) - said.minutesAgo * 60;
  await messages.setSentAt(chat.mysql, by.realmId, { id, sentAt });
  for (const [name, fans] of Object.entries(said.reactions ?? {})) {
    for (const fan of fans) await react(chat, people[fan], { messageId: id, op: 'add' }, { name });
  }
  for (const [voter, option] of said.votes ?? []) {
    await add(chat, people[voter], id, { type: 'vote', key: `canned,${option}`, vote: 1 });
  }
  if (said.content === '/todo') await addTasks(chat, by, id);
  return id;
}

function addressOf(people: People, { to }: DemoMessage) {
  if ('people' in to) return { type: 'private', to: JSON.stringify(to.people.map((name) => people[name].id)) };
  const [stream, topic] = to;
  return { type: 'stream', to: stream, topic };
}

async function contentOf(kernel: Storage, by: User, { content, picture }: DemoMessage): Promise<string> {
  if (picture === undefined) return content;
  const { url: uri } = await uploadFile(kernel, by, await pictureFile(picture));
  return content.replace('{picture}', `[${picture}.png](${uri})`);
}

/** Adds to a widget as a client does. */
const add = (kernel: Storage, by: User, messageId: number, change: object): Promise<void> =>
  addSubmessage(kernel, by, { messageId, type: WIDGET, content: JSON.stringify(change) });

async function addTasks(kernel: Storage, by: User, id: number): Promise<void> {
  for (const [index, { task, desc, isDone }] of DEMO_TASKS.entries()) {
    await add(kernel, by, id, { type: 'new_task', key: index + 1, task, desc, completed: isDone });
  }
}

async function readWhatArrived(transaction: Transact, by: User, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await updateFlags(transaction, by, { messageIds: [id], operation: 'add', flag: 'read' }).catch(() => undefined);
  }
}
