import { addLinkifier } from '../../../src/chat/commands/organisation/edit-vocabulary';
import { addAlertWords } from '../../../src/chat/commands/users/edit-alert-words';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import type { User } from '../../../src/chat/model/users/user';
import type { Chat } from '../../../src/chat/parts';
import { getRealm } from '../../../src/chat/queries/organisation/find-realm';
import * as users from '../../../src/chat/store/users/users';
import { openCluster, type Cluster } from '../../support/kernel/cluster';
import { chatOf } from '../../support/kernel/parts';
import { until } from '../../support/until';

/** How long a node caches a vocabulary if it does not follow the organisation. */
const UNFOLLOWED_MS = 1000;

let cluster: Cluster;
let chat: Chat;
/** The chat of another node. */
let other: Chat;
let realmId: RealmId;
let owner: User;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.seed();
  [chat, other] = [chatOf(await cluster.kernel()), chatOf(await cluster.kernel())];
  realmId = (await getRealm(chat)).id;
  owner = (await users.byEmail(chat.mysql, realmId, 'owner@example.com'))!;
  await chat.polls.open(realmId);
});
afterAll(() => cluster.close());

/** The statements that a node sends meanwhile. */
async function statementsOf(kernel: Chat, look: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => statements.push(sql);
  kernel.mysql.on('query', note);
  await look();
  kernel.mysql.off('query', note);
  return statements;
}

const find = (of: Chat) => of.vocabularies.find(realmId);

test('A node that follows an organisation does not read its vocabulary again, and any other does after a second', async () => {
  await Promise.all([find(chat), find(other)]);
  const began = performance.now();
  await until(() => performance.now() - began > UNFOLLOWED_MS);
  // Without the node's ticks and sweeps.
  const isMeant = (sql: string) => /chat_(linkifiers|realm_emoji|alert_words)/.test(sql);
  expect((await statementsOf(chat, () => find(chat))).filter(isMeant)).toEqual([]);
  // In one packet.
  expect((await statementsOf(other, () => find(other))).filter(isMeant)).toHaveLength(1);
});

test('A pattern and an alert word that another node adds are known to a node that follows the organisation', async () => {
  expect((await find(chat)).linkifiers).toEqual([]);
  await addLinkifier(other, owner, { pattern: '#(?P<id>[0-9]+)', urlFormat: 'https://tickets.example.com/%(id)s' });
  await until(async () => (await find(chat)).linkifiers.length === 1);
  expect((await find(chat)).linksOf('about #12')).toEqual([{ text: '#12', url: 'https://tickets.example.com/12' }]);
  await addAlertWords(other, owner, ['lunch']);
  await until(async () => (await find(chat)).alertWords.size === 1);
});

test('A vocabulary read during a change is not cached', async () => {
  const reading = find(chat);
  await addAlertWords(chat, owner, ['dinner']);
  await reading;
  expect((await find(chat)).alertWords.size).toBe(2);
});
