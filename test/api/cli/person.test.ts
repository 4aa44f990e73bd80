import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { formOf, PNG } from '../../support/pictures';
import { filesIn, upload } from '../chat/organisation/export-support';
import { cliOf, type Cli } from './run';

const EMAIL = 'member@example.com';
const folder = mkdtempSync(join(tmpdir(), 'person-test-'));
let cluster: Cluster;
let node: TestNode;
let cli: Cli;
let owner: TestUser;
let member: TestUser;
let uri: string;
let spoken: number;
let told: number;

async function say(by: TestUser, content: string, more: object = {}): Promise<number> {
  const draft = { type: 'stream', to: 'test', topic: 'people', content, ...more };
  const { status, body, text } = await by.post('/messages', draft);
  if (status !== 200) throw new Error(text);
  return body.id;
}

beforeAll(async () => {
  cluster = await openCluster({ RATE_LIMIT: 'off' });
  await cluster.seed();
  node = await cluster.node();
  cli = cliOf(cluster.environment);
  [owner, member] = [await userOf(node, 'owner'), await userOf(node, 'member')];
  uri = await upload(node, 'diary.txt', 'dear diary');
  spoken = await say(member, `my [diary](${uri})`);
  told = await say(member, 'a private word', { type: 'private', to: ['owner@example.com'] });
  await say(owner, 'what the owner wrote', { type: 'private', to: [EMAIL] });
  await member.post('/users/me/alert_words', { alert_words: ['lunch'] });
  await member.post('/users/me/status', { status_text: 'on holiday', away: true });
  const headers = await node.basic(EMAIL);
  await node.call('/api/v1/users/me/avatar', { method: 'POST', headers, raw: formOf(PNG) });
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = async (table: string, where: object): Promise<number> =>
  ((await node.kernel.mysql(table).where(where)) as unknown[]).length;

describe('partyline user export', () => {
  const path = join(folder, 'member.tar.gz');

  test("An export of a user holds the user's data without secrets or messages of others, in a file for its owner only", async () => {
    const run = await cli(['user', 'export', EMAIL, path, '--json']);
    expect(run).toMatchObject({ code: 0, err: '', json: { email: EMAIL, file: path } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const files = filesIn(readFileSync(path));
    const person = JSON.parse(files.get('person.json')!) as object;
    expect(person).toMatchObject({
      format: 1,
      email: EMAIL,
      alert_words: [{ word: 'lunch' }],
      user_statuses: [{ text: 'on holiday' }],
    });
    expect(JSON.stringify(person)).not.toMatch(/hash|sealed|secret/);
    const messages = JSON.parse(files.get('messages/000001.json')!) as { id: number; content: string }[];
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([spoken, told]));
    expect(messages.map(({ content }) => content)).not.toContain('what the owner wrote');
    const [index] = JSON.parse(files.get('attachments.json')!) as [{ name: string; file: string }];
    expect(index).toMatchObject({ name: 'diary.txt' });
    expect(files.get(index.file)).toBe('dear diary');
    expect(files.has('avatar.png')).toBe(true);
  });

  test('An export never overwrites a file, and fails for an unknown user', async () => {
    expect(await cli(['user', 'export', EMAIL, path])).toMatchObject({ code: 1, out: '' });
    expect(await cli(['user', 'export', 'nobody@example.com', `${path}.2`])).toMatchObject({ code: 1, out: '' });
  });
});

describe('partyline user erase', () => {
  test('The command user erase does nothing without confirmation, and never erases a bot', async () => {
    const refused = await cli(['user', 'erase', EMAIL]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--yes');
    expect((await cli(['user', 'erase', 'webhook-bot@example.com', '--yes'])).code).toBe(1);
    expect((await member.get('/users/me')).status).toBe(200);
  });

  test("Erasing a user locks the user out and leaves the user's messages without a name", async () => {
    const { queue_id: queue, last_event_id: last } = (await owner.post('/register', { event_types: ['realm_user'] }))
      .body;
    expect(await cli(['user', 'erase', EMAIL, '--yes'])).toMatchObject({ code: 0, out: `erased ${EMAIL}\n` });
    expect((await member.get('/users/me')).status).toBe(401);
    const { body } = await owner.get(`/messages`, { anchor: spoken, num_before: 0, num_after: 0 });
    expect(body.messages).toMatchObject([
      { id: spoken, sender_full_name: expect.stringMatching(/^Deleted user \d+$/) },
    ]);
    const { events } = (await owner.get('/events', { queue_id: queue, last_event_id: last })).body;
    expect(JSON.stringify(events)).toContain('Deleted user');
    const users = JSON.stringify((await owner.get('/users')).body);
    expect(users).not.toContain(EMAIL);
    for (const table of ['chat_alert_words', 'chat_user_statuses', 'chat_avatars', 'chat_sessions', 'chat_flags']) {
      expect([table, await rowsOf(table, { user_id: member.id })]).toEqual([table, 0]);
    }
  });

  test('Erasing with --messages deletes messages and files, even afterwards, and publishes the deletion to recipients', async () => {
    const address = `deleted-${member.id}@invalid.example`;
    const { queue_id: queue, last_event_id: last } = (
      await owner.post('/register', { event_types: ['delete_message'] })
    ).body;
    const run = await cli(['user', 'erase', address, '--yes', '--messages', '--json']);
    expect(run).toMatchObject({ code: 0, err: '', json: { id: member.id, files: 1 } });
    expect(await rowsOf('chat_messages', { sender_id: member.id })).toBe(0);
    expect(await rowsOf('chat_uploads', { owner_id: member.id })).toBe(0);
    const { events } = (await owner.get('/events', { queue_id: queue, last_event_id: last })).body;
    const gone = (events as { message_id: number }[]).map(({ message_id: id }) => id);
    expect(gone).toEqual(expect.arrayContaining([spoken, told]));
  });

  test('The address of an erased user can be used for a new user', async () => {
    expect(await cli(['user', 'add', EMAIL, '--name', 'New Member'])).toMatchObject({ code: 0 });
  });
});
