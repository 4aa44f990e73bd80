import fc from 'fast-check';
import { deleteTexts } from '../../../../src/telephony/commands/texting/delete-texts';
import { markTextsRead } from '../../../../src/telephony/commands/texting/mark-texts-read';
import type { Caller, ContactId } from '../../../../src/telephony/model/contacts/contact';
import { getConversation } from '../../../../src/telephony/queries/texting/conversations';
import { listTexts } from '../../../../src/telephony/queries/texting/texts';
import { openTexting, type Texting } from '../../../support/telephony/texting';
import { actAs, problem } from '../people';

let texting: Texting;
beforeAll(async () => void (texting = await openTexting()));
afterAll(() => texting.close());

const PATH = '/texting/conversations';

/** A conversation with these received texts, and their ids. */
async function conversationWith(texts: readonly string[]): Promise<{ id: string; ids: string[] }> {
  const from = texting.someone();
  const id = await texting.begin(from);
  for (const text of texts) await texting.receive({ from, text });
  const { body } = await texting.people.owner('GET', `${PATH}/${id}/messages`);
  return { id, ids: (body as { id: string }[]).map((each) => each.id).reverse() };
}

const unreadOf = async (who: 'owner' | 'member', id: string) => {
  const { body } = await texting.people[who]('GET', `${PATH}/${id}`);
  expect(body.countunreadmessages).toBe(body.unread_msg_count);
  return body.unread_msg_count as number;
};
const flagsOf = async (who: 'owner' | 'member', id: string) => {
  const { body } = await texting.people[who]('GET', `${PATH}/${id}/messages`);
  return (body as { is_read: boolean }[]).map((each) => each.is_read).reverse();
};

describe.each([PATH, '/texting/v2/conversations'])('POST %s/{id}/read', (path) => {
  test('A read mark with an unknown timezone is treated as one without a timezone', async () => {
    const { id, ids: messagesIds } = await conversationWith(['a']);
    const reading = { messagesIds, timezone: 'Mars/Olympus_Mons' };
    const { status, body } = await texting.people.owner('POST', `${path}/${id}/read`, reading);
    expect([status, body.timezone]).toEqual([200, 'UTC']);
  });

  test('POST marks the named messages as read by one user, and publishes that to the company once', async () => {
    const { people, ids: companies } = texting;
    const { id, ids } = await conversationWith(['a', 'b', 'c']);
    expect([await unreadOf('owner', id), await unreadOf('member', id)]).toEqual([3, 3]);
    const read = (messagesIds: unknown, more = {}) =>
      people.owner('POST', `${path}/${id}/read`, { messagesIds, ...more });
    const published = await texting.publishedBy(companies.one, async () => {
      const answer = await read([ids[1]], { timezone: 'Europe/Berlin' });
      const done = { conversation_id: id, messagesIds: [ids[1]], timezone: 'Europe/Berlin' };
      expect(answer).toMatchObject({ status: 200, body: { ...done, unread_msg_count: 2 } });
      // Nothing new.
      expect((await read([ids[1]])).status).toBe(200);
    });
    const payload = { conversation_id: id, messagesIds: [ids[1]], timezone: 'Europe/Berlin' };
    expect(published).toEqual([{ name: 'texting.message.markAsRead', payload }]);
    expect(await flagsOf('owner', id)).toEqual([false, true, false]);
    expect(await flagsOf('member', id)).toEqual([false, false, false]);
    expect(await unreadOf('member', id)).toBe(3);

    const rest = await texting.publishedBy(companies.one, () => read([...ids, 'unknown']));
    expect(rest).toMatchObject([{ payload: { messagesIds: [ids[0], ids[2]], timezone: 'UTC' } }]);
    expect(await unreadOf('owner', id)).toBe(0);
    expect((await people.owner('GET', `${path}/${id}`)).body.lastmessage.is_read).toBe(true);
    expect((await people.member('GET', `${path}/${id}`)).body.lastmessage.is_read).toBe(false);
  });

  test('POST of read marks refuses an empty list, too many messages, and unknown messages', async () => {
    const { id } = await conversationWith(['a']);
    const other = await conversationWith(['b']);
    const read = (body: object, at = id) => texting.people.owner('POST', `${path}/${at}/read`, body);
    for (const bad of [{}, { messagesIds: [] }, { messagesIds: 'all' }, { messagesIds: Array(1001).fill('x') }]) {
      expect(await read(bad)).toMatchObject(problem(400));
    }
    expect(await read({ messagesIds: ['unknown'] })).toMatchObject(problem(404));
    expect(await read({ messagesIds: other.ids })).toMatchObject(problem(404));
    expect(await read({ messagesIds: ['x'] }, 'nowhere')).toMatchObject(problem(404));
    expect(await unreadOf('owner', other.id)).toBe(1);
  });
});

test('A message that the company sends is never unread', async () => {
  const { id } = await conversationWith([]);
  await texting.send(id, 'hello');
  expect([await unreadOf('owner', id), await unreadOf('member', id)]).toEqual([0, 0]);
  expect(await flagsOf('member', id)).toEqual([true]);
});

test('Concurrent read marks from several devices count each message once', async () => {
  const { id, ids } = await conversationWith(['a', 'b', 'c', 'd']);
  const read = (messagesIds: string[]) => texting.people.owner('POST', `${PATH}/${id}/read`, { messagesIds });
  const published = await texting.publishedBy(texting.ids.one, () =>
    Promise.all([read(ids), read(ids.slice(1)), read([ids[3]!]), read(ids)]),
  );
  const heard = published.flatMap(({ payload }) => payload.messagesIds as string[]);
  expect([...heard].sort()).toEqual([...ids].sort());
  expect(await unreadOf('owner', id)).toBe(0);
});

test('A user who joins later finds every message unread', async () => {
  const { id } = await conversationWith(['a', 'b']);
  const { body: late } = await texting.people.owner('POST', '/company/contacts', {
    work_email: 'late@example.com',
    first_name: 'L',
  });
  const newcomer = actAs(texting.node, 'demo-key-one', late.id);
  expect((await newcomer('GET', `${PATH}/${id}`)).body).toMatchObject({ unread_msg_count: 2 });
});

test('The read marks of a user are deleted with the user', async () => {
  const { people, kernel } = texting;
  const { body: guest } = await people.owner('POST', '/company/contacts', {
    work_email: 'g@example.com',
    first_name: 'G',
  });
  const by: Caller = { companyId: texting.ids.one, contactId: guest.id, isOwner: false, from: '' };
  const { id, ids } = await conversationWith(['a', 'b']);
  await markTextsRead(kernel.transaction, by, { conversationId: id, messagesIds: [ids[1]!], timezone: undefined });
  const rows = async () => [
    ...(await kernel.mysql('tel_conversation_views').where({ contact_id: guest.id })),
    ...(await kernel.mysql('tel_text_reads').where({ contact_id: guest.id })),
  ];
  expect(await rows()).toHaveLength(2);
  await people.owner('DELETE', `/company/contacts/${guest.id}`);
  expect(await rows()).toEqual([]);
});

type Step =
  | { readonly kind: 'receive' }
  | { readonly kind: 'send' }
  | { readonly kind: 'read'; readonly who: 0 | 1; readonly places: readonly number[] }
  | { readonly kind: 'delete'; readonly places: readonly number[] };

const places = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('receive' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('send' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), who: fc.constantFrom<0 | 1>(0, 1), places }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), places }) },
);

interface Copy {
  readonly id: string;
  readonly isInbound: boolean;
  readonly readBy: Set<number>;
}

test('After any receiving, reading and deleting, each user’s unread count equals that of one row per reader', async () => {
  const { kernel, ids: companies, people } = texting;
  const users = [people.ids.owner, people.ids.member].map((contactId): Caller => ({
    companyId: companies.one,
    contactId: contactId as ContactId,
    isOwner: true,
    from: '',
  }));

  async function take(model: Copy[], place: { id: string; from: string }, next: Step): Promise<Copy[]> {
    if (next.kind === 'receive' || next.kind === 'send') {
      if (next.kind === 'receive') await texting.receive({ from: place.from });
      else await texting.send(place.id, 'x');
      const { body } = await people.owner('GET', `${PATH}/${place.id}/messages?per_page=1`);
      return [...model, { id: body[0].id, isInbound: next.kind === 'receive', readBy: new Set() }];
    }
    if (model.length === 0) return model;
    const chosen = new Set(next.places.map((each) => model[each % model.length]!));
    const messages = { conversationId: place.id, ids: [...chosen].map((each) => each.id) };
    if (next.kind === 'delete') {
      await deleteTexts(kernel, users[0]!, messages);
      return model.filter((each) => !chosen.has(each));
    }
    await markTextsRead(kernel.transaction, users[next.who]!, {
      ...messages,
      messagesIds: messages.ids,
      timezone: undefined,
    });
    for (const each of chosen) each.readBy.add(next.who);
    return model;
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const from = texting.someone();
      const place = { id: await texting.begin(from), from };
      let model: Copy[] = [];
      for (const next of steps) model = await take(model, place, next);
      for (const [who, by] of users.entries()) {
        const isRead = (each: Copy) => !each.isInbound || each.readBy.has(who);
        const page = { number: 1, size: 100 };
        const { items } = await listTexts(kernel.mysql, by, { conversationId: place.id, page });
        const shown = (items as { id: string; is_read: boolean }[]).map((each) => [each.id, each.is_read]).reverse();
        expect(shown).toEqual(model.map((each) => [each.id, isRead(each)]));
        expect(await getConversation(kernel.mysql, by, place.id)).toMatchObject({
          unread_msg_count: model.filter((each) => !isRead(each)).length,
        });
      }
    }),
    { numRuns: 12 },
  );
});
