import type { Answer } from '../../support/client';
import { encoded, type Caller } from '../../support/chat-people';
import { formOf, PNG } from '../../support/pictures';
import { openOrganisations, ROOT, type Organisation, type Organisations } from '../../support/organisations';
import { fileIn, FOREIGN_ASKS, NOTHING, type Things } from './foreign-asks';
import { OWN_ASKS } from './own-asks';

let all: Organisations;
/** What Acme has. Whoever asks for it is Beta's administrator. */
let theirs: Things;
let spy: Caller;
let webhookKey: string;

type Fields = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  all = await openOrganisations();
  theirs = await furnish(all.acme);
  spy = all.beta.owner;
  await spy.post('/users/me/subscriptions', encoded({ subscriptions: [{ name: 'commons' }] }));
});
afterAll(() => all.cluster.close());

async function furnish({ owner, member, id }: Organisation): Promise<Things> {
  const done = async (answer: Promise<Answer>) => {
    const { body, text } = await answer;
    if (body.result !== 'success') throw new Error(text);
    return body;
  };
  const stream = 'acme plans';
  await done(owner.post('/users/me/subscriptions', encoded({ subscriptions: [{ name: stream }] })));
  const talk = { type: 'stream', to: stream, topic: 'plans', content: 'a secret' };
  // Messages are numbered in each organisation for itself: these get numbers that Beta has not reached.
  for (let sent = 0; sent < 40; sent += 1) await done(owner.post('/messages', talk));
  const message = await done(owner.post('/messages', talk));
  const privately = await done(
    owner.post('/messages', encoded({ type: 'private', to: [member.email], content: 'a secret' })),
  );
  const poll = await done(owner.post('/messages', { ...talk, content: '/poll a secret' }));
  await done(
    owner.post('/users', { email: 'ada@acme.example', password: 'plain words of nobody', full_name: 'Ada Acme' }),
  );
  const { members } = await done(owner.get('/users'));
  const bot = await done(owner.post('/bots', { full_name: 'Acme Bot', short_name: 'acme', bot_type: '2' }));
  webhookKey = bot.api_key;
  await done(owner.post('/user_groups/create', encoded({ name: 'insiders', description: '', members: [owner.id] })));
  const { user_groups: groups } = await done(owner.get('/user_groups'));
  const field = await done(owner.post('/realm/profile_fields', { name: 'Safe', field_type: '1' }));
  const filter = await done(
    owner.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://acme.example/%(id)s' }),
  );
  const domain = 'acme.example';
  await done(owner.post('/realm/domains', encoded({ domain, allow_subdomains: false })));
  const newcomers = { group_name: 'newcomers', description: '', stream_names: [] };
  await done(owner.post('/default_stream_groups/create', encoded(newcomers)));
  const state = await done(owner.post('/register', encoded({ fetch_event_types: ['default_stream_groups'] })));
  const archive = await done(owner.post('/export/realm'));
  const upload = (path: string) => done(owner.ask(path, { method: 'POST', raw: formOf(PNG) }));
  await upload('/realm/emoji/anvil');
  await upload('/realm/icon');
  const { avatar_url: avatar } = await upload('/users/me/avatar');
  const { emoji } = await done(owner.get('/realm/emoji'));
  const file = new FormData();
  file.append('file', new Blob(['a secret']), 'plans.txt');
  const { uri } = await done(owner.ask('/user_uploads', { method: 'POST', raw: file }));
  const { attachments } = await done(owner.get('/attachments'));
  await done(owner.post('/users/me/presence', { status: 'active' }));
  await done(owner.ask('/web/session', { json: { demo: owner.email } }));
  const queue = await done(owner.post('/register', encoded({ event_types: ['message'] })));
  const { stream_id } = await done(owner.get('/get_stream_id', { stream }));
  const inviting = { invitee_emails: 'guest-to-be@example.net', stream_ids: `[${stream_id}]` };
  await done(owner.post('/invites', inviting));
  await done(owner.post('/invites/multiuse'));
  const { invites } = await done(owner.get('/invites'));
  const [invite_id, link_id] = invites.map(({ id: inviteId }: { id: number }) => inviteId);
  return {
    message_id: message.id,
    private_id: privately.id,
    poll_id: poll.id,
    stream,
    stream_id,
    invite_id,
    link_id,
    email: 'ada@acme.example',
    user_id: members.find(({ email }: { email: string }) => email === 'ada@acme.example').user_id,
    bot_id: bot.user_id,
    group: 'insiders',
    group_id: groups[0].id,
    field_id: field.id,
    filter_id: filter.id,
    export_id: archive.id,
    domain,
    stream_group_id: state.realm_default_stream_groups[0].id,
    attachment_id: attachments[0].id,
    emoji_name: 'anvil',
    emoji_id: Number(Object.keys(emoji)[0]),
    realm_id: id,
    queue_id: queue.queue_id,
    token: uri.split('/')[4],
    avatar: /\w+\.png/.exec(avatar)![0],
    session_id: (await done(owner.ask('/web/sessions', {}))).sessions[0].id,
  };
}

const pathOf = (path: string, things: Things): string =>
  path
    .replace('{shelf}', '00')
    .replace('{name}', 'plans.txt')
    .replace('{file}', fileIn(path, things))
    .replace(/\{(\w+)\}/g, (_, name: keyof Things) => encodeURIComponent(things[name]));

function ask(by: Caller, route: string, things: Things, fields: Fields): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const sent = encoded(fields);
  return by.ask(pathOf(path, things), method === 'GET' ? { query: sent } : { method, form: sent });
}

/** An answer without what was asked for, and without what is new in every answer. */
function seen({ status, text }: Answer, things: Things): unknown {
  let masked = text;
  // Numbers are echoed in refusals alone; elsewhere the same ones may be one's own.
  const values = Object.values(things).filter((value) => status !== 200 || typeof value === 'string');
  // A dot after it ends a sentence, unless more follows.
  for (const value of values) {
    masked = masked.replaceAll(
      new RegExp(`(?<![\\w.-])${String(value).replaceAll('.', '\\.')}(?!\\.?[\\w-])`, 'g'),
      '…',
    );
  }
  return { status, text: masked.replaceAll(/"(queue_id|api_key)":"[^"]*"/g, '"$1":"…"') };
}

describe('An administrator of another organisation', () => {
  const cases = Object.entries(FOREIGN_ASKS).flatMap(([route, asks]) =>
    asks.map((fields, place) => [`${route}${asks.length > 1 ? ` (${place + 1})` : ''}`, route, fields] as const),
  );
  test.each(cases)('is answered as for what never was: %s', async (_, route, fields) => {
    const foreign = await ask(spy, route, theirs, fields(theirs));
    const nothing = await ask(spy, route, NOTHING, fields(NOTHING));
    expect(nothing.status).toBeLessThan(500);
    expect(seen(foreign, theirs)).toEqual(seen(nothing, NOTHING));
    expect(foreign.text).not.toContain('a secret');
  });

  test('has changed nothing by it', async () => {
    const { owner } = all.acme;
    const raw = await owner.get(`/messages/${theirs.message_id}`);
    expect(raw.body.raw_content).toBe('a secret');
    const { body } = await owner.get('/users');
    const names = body.members.map(({ full_name: name }: { full_name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['Ada Acme', 'Acme Bot']));
    expect((await owner.get('/user_groups')).body.user_groups).toHaveLength(1);
    expect((await owner.get('/realm/filters')).body.filters).toHaveLength(1);
    expect((await owner.get('/realm/domains')).body.domains).toEqual([
      { domain: theirs.domain, allow_subdomains: false },
    ]);
    expect((await owner.ask(`/user_uploads/${theirs.realm_id}/00/${theirs.token}/plans.txt`, {})).text).toBe(
      'a secret',
    );
    expect(
      (await owner.get('/events', { queue_id: theirs.queue_id, last_event_id: '-1', dont_block: 'true' })).status,
    ).toBe(200);
  });

  test('sees the default picture for a number of another organisation’s', async () => {
    const picture = async (by: Caller, who: number) => (await by.ask(`/avatar/${who}`, {})).headers.get('location');
    expect(await picture(spy, theirs.user_id)).not.toBe(await picture(all.acme.owner, theirs.user_id));
  });
});

test('every endpoint is asked for another organisation’s things, or is about one’s own alone', async () => {
  const { body } = await all.node.call('/openapi.json');
  type Operation = { tags: string[]; security: unknown[] };
  const routes = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags, security }]) => tags.includes('chat') && security.length > 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const apart = new Set(['POST /api/v1/external/{integration}', 'GET /avatar/{who}', 'GET /avatar/{who}/medium']);
  expect(routes.filter((route) => !(route in FOREIGN_ASKS) && !OWN_ASKS.has(route) && !apart.has(route))).toEqual([]);
  const closed = Object.keys(FOREIGN_ASKS).filter((route) => !route.startsWith('GET /user_avatars/'));
  expect(closed.filter((route) => !routes.includes(route))).toEqual([]);
});

describe('A key of another organisation', () => {
  const refused = { status: 401, body: { result: 'error', msg: 'Account is not associated with this subdomain' } };

  test('opens nothing at this one’s host', async () => {
    const { beta, acme } = all;
    const { headers } = acme.owner;
    for (const route of [...OWN_ASKS, ...Object.keys(FOREIGN_ASKS)].filter(
      (each) => !each.includes('/user_avatars/'),
    )) {
      const [method = '', path = ''] = route.split(' ');
      expect(await beta.call(pathOf(path, theirs), { method, headers })).toMatchObject(refused);
    }
    const key = Buffer.from(headers['Authorization']!.slice(6), 'base64').toString().split(':')[1]!;
    const file = `/user_uploads/${theirs.realm_id}/00/${theirs.token}/plans.txt`;
    expect(await beta.call(file, { query: { api_key: key } })).toMatchObject(refused);
    expect((await acme.call(file, { query: { api_key: key } })).status).toBe(200);
    const hook = {
      query: { api_key: webhookKey, stream: 'commons' },
      json: { featured_title: 'x', featured_url: 'y' },
    };
    const { msg } = refused.body;
    expect(await beta.call('/api/v1/external/helloworld', hook)).toMatchObject({ status: 400, body: { msg } });
  });

  test('is another one for the same address', async () => {
    const { beta, acme } = all;
    expect((await acme.member.get('/users/me')).body.full_name).toBe('Max Member');
    expect((await beta.member.get('/users/me')).body.full_name).toBe('Beta member');
    expect(acme.member.headers).not.toEqual(beta.member.headers);
    expect((await beta.call('/api/v1/dev_list_users')).body.direct_admins).toEqual([
      { email: 'owner@example.com', realm_uri: `https://beta.${ROOT}` },
    ]);
  });
});
