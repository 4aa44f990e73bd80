import { productsOf } from '../../../src/products';
import { demoPeople } from '../../support/chat/people';
import { openCluster } from '../../support/kernel/cluster';

test('A new development server has the demo organisation with its accounts, streams and conversations', async () => {
  const cluster = await openCluster({ RATE_LIMIT: 'off' });
  try {
    const node = await cluster.node();
    const { seedDemo } = productsOf(cluster.config()).find(({ name }) => name === 'chat')!;
    expect(await seedDemo!(node.kernel)).toBe(true);
    expect(await seedDemo!(node.kernel)).toBe(false);
    const { owner, member, guest } = await demoPeople(node);

    const { members } = (await owner.get('/users')).body as { members: { avatar_url: string; email: string }[] };
    expect(members.filter(({ avatar_url: url }) => url.startsWith('/user_avatars/'))).toHaveLength(6);
    const namesOf = async (person: typeof owner) =>
      ((await person.get('/users/me/subscriptions')).body['subscriptions'] as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await namesOf(guest)).toEqual(expect.arrayContaining(['general', 'test', 'announcements']));
    expect(await namesOf(guest)).not.toContain('engineering');
    expect(await namesOf(owner)).toEqual(expect.arrayContaining(['leadership', 'engineering', 'design', 'random']));

    const query = { anchor: '10000000000000000', num_before: '100', num_after: '0' };
    const { body } = await member.get('/messages', query);
    const messages = body['messages'] as {
      content: string;
      timestamp: number;
      flags: string[];
      reactions: object[];
      submessages: object[];
      client: string;
    }[];
    expect(messages.length).toBeGreaterThan(15);
    expect(Date.now() / 1000 - messages[0]!.timestamp).toBeGreaterThan(86_400);
    expect(messages.map(({ timestamp }) => timestamp)).toEqual(
      messages.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b),
    );
    expect(messages.filter(({ content }) => content.includes('message_inline_image'))).toHaveLength(2);
    expect(messages.filter(({ submessages }) => submessages.length > 3)).toHaveLength(2);
    expect(messages.some(({ reactions }) => reactions.length > 2)).toBe(true);
    const unread = messages.filter(({ flags }) => !flags.includes('read'));
    expect(unread.length).toBeGreaterThan(0);
    expect(unread.length).toBeLessThan(4);
  } finally {
    await cluster.close();
  }
});
