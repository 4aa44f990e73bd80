/** All pages of the chat, filled. Tests of looks and of access go through them, and through what opens-above.ts opens. */
import type { TestPage } from './browser';
import { callerOf } from '../chat/people';
import { userOf } from '../chat/chat';
import type { TestNode } from '../kernel/cluster';
import { remind, schedule } from '../chat/scheduled';
import { rectangle } from '../pictures';
import { until } from '../until';

const SETTINGS = (
  'profile account notifications words topics appearance sessions files bots groups folders invitations people ' +
  'organisation sign-in linkifiers emoji fields'
).split(' ');

/** A conversation with one of everything. */
export const TOPIC = '/stream/1/topic/lunch';

const pagesWith = (archived: number, group: number): readonly string[] => [
  TOPIC,
  '/',
  '/recent',
  '/all',
  '/stream/1',
  `/stream/${archived}`,
  '/stream/999',
  '/nowhere',
  '/private',
  '/mentions',
  '/starred',
  '/scheduled',
  '/search/noon',
  '/streams',
  '/streams/new',
  '/streams/1',
  `/streams/${archived}`,
  '/streams/999',
  '/welcome',
  ...SETTINGS.map((name) => `/settings/${name}`),
  `/settings/groups/${group}`,
];

/** Fills the demo organisation, and returns the paths of its pages. */
export async function fillChat(node: TestNode): Promise<readonly string[]> {
  const [owner, member] = await Promise.all([userOf(node, 'owner'), userOf(node, 'member')]);
  const say = async (by: typeof owner, content: string, to = 'general', topic = 'lunch') =>
    (await by.post('/messages', { type: 'stream', to, topic, content })).body.id as number;
  const subscriptions = [{ name: 'harbour', description: 'Ships that have left' }];
  await owner.post('/users/me/subscriptions', { subscriptions });
  const archived: number = (await owner.get('/get_stream_id', { stream: 'harbour' })).body.stream_id;
  await say(owner, 'All aboard', 'harbour', 'ships');
  await owner.del(`/streams/${archived}`);
  await owner.post('/user_groups/create', {
    name: 'builders',
    description: 'They build',
    members: [owner.id, member.id],
  });
  const { id: group } = (await owner.get('/user_groups')).body.user_groups[0] as { id: number };
  await owner.post('/channel_folders/create', { name: 'Offices', description: 'What concerns the building' });
  const text = await say(member, `At *noon* :smile:, @**Olive Owner** and @*builders*?\n\n${RICH}`);
  for (const emoji_name of ['thumbs_up', 'heart', 'tada'])
    await member.post(`/messages/${text}/reactions`, { emoji_name });
  await owner.post(`/messages/${text}/reactions`, { emoji_name: 'heart' });
  await say(owner, '/poll Where?\nCanteen\nPark');
  const todo = await say(owner, '/todo');
  const task = JSON.stringify({ type: 'new_task', key: 1, task: 'Book a table', desc: 'for six', completed: false });
  await owner.post('/submessage', { message_id: todo, msg_type: 'widget', content: task });
  const form = new FormData();
  const picture = await rectangle(900, 600, 'red').png().toBuffer();
  form.append('file', new Blob([picture as BlobPart], { type: 'image/png' }), 'red.png');
  const { body } = await (await callerOf(node, owner.email)).ask('/user_uploads', { method: 'POST', raw: form });
  await say(owner, `[red.png](${body.uri})`);
  await member.post('/messages', { type: 'private', to: [owner.id], content: 'Have you seen this?' });
  await say(member, 'Nobody has read this', 'test', 'unread');
  const last = await say(owner, 'My last words');
  await owner.patch(`/messages/${last}`, { content: 'My very last words' });
  await owner.post('/drafts', {
    drafts: [{ type: 'stream', to: [1], topic: 'plans', content: 'Not yet', timestamp: 1_700_000_000 }],
  });
  for (const by of [owner, member]) {
    await schedule(by, { streamId: 1, topic: 'plans' }, `Not before **noon**\n\n${RICH}`);
    await schedule(by, { streamId: 1, topic: 'plans' }, 'And in the evening');
    await remind(by, last, 'What was that?');
  }
  return pagesWith(archived, group);
}

const RICH = `\`\`\`spoiler The end
The butler
\`\`\`
| a | b |
| - | - |
| 1 | 2 |

\`code\`, #**general** and https://example.com
\`\`\`python
# why
def f(): return 1
\`\`\`
> quoted
`;

export async function openPath(page: TestPage, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path);
  await page.getByRole('main').waitFor();
  await until(() => page.evaluate(() => document.querySelector('[aria-busy=true]') === null));
}
