import type { Answer } from '../../support/http/client';
import { encoded, type Caller } from '../../support/chat/people';
import { formOf, PNG } from '../../support/pictures';
import { pushAddress } from '../../support/push-address';
import { openOrganisations, ROOT, type Organisation, type Organisations } from '../../support/chat/organisations';
import { askingsOf, superfluous, unknownParameters, type Asking } from '../../support/chat/requests/derive';
import { NOTHING, pathOf, type Things } from '../../support/chat/requests/things';
import { routesOf, type RouteOfDocument } from '../../access/routes';

let all: Organisations;
/** Objects of Acme, which Beta's administrator requests. */
let theirs: Things;
let spy: Caller;
let webhookKey: string;
let routes: RouteOfDocument[];
let askings: Asking[];

beforeAll(async () => {
  all = await openOrganisations();
  routes = await routesOf(all.node, 'chat');
  // Other tests check these: deliveries have another kind of key, and pictures are public.
  askings = askingsOf(routes).filter(({ route }) => !/external|\/avatar\//.test(route));
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
  // Each organisation numbers its own messages: these get numbers that Beta has not reached.
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
  const folder = await done(owner.post('/channel_folders/create', encoded({ name: 'insiders', description: '' })));
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
  const draft = { type: 'stream', to: [stream_id], topic: 'secret', content: 'not yet sent' };
  const saved = await done(owner.post('/drafts', encoded({ drafts: [draft] })));
  const later = { scheduled_delivery_timestamp: 4_000_000_000 };
  const scheduling = { type: 'stream', to: stream_id, topic: 'secret', content: 'not yet sent', ...later };
  const scheduled = await done(owner.post('/scheduled_messages', encoded(scheduling)));
  const reminder = await done(owner.post('/reminders', encoded({ message_id: message.id, ...later })));
  const { invites } = await done(owner.get('/invites'));
  const [invite_id, link_id] = invites.map(({ id: inviteId }: { id: number }) => inviteId);
  return {
    message_id: message.id,
    private_id: privately.id,
    poll_id: poll.id,
    stream,
    stream_id,
    draft_id: saved.ids[0],
    scheduled_message_id: scheduled.scheduled_message_id,
    reminder_id: reminder.reminder_id,
    push_device_id: (await done(owner.post('/push_devices', pushAddress()))).device_id,
    invite_id,
    link_id,
    email: 'ada@acme.example',
    user_id: members.find(({ email }: { email: string }) => email === 'ada@acme.example').user_id,
    bot_id: bot.user_id,
    group: 'insiders',
    group_id: groups[0].id,
    inner_group_id: groups[0].id,
    field_id: field.id,
    filter_id: filter.id,
    export_id: archive.id,
    domain,
    stream_group_id: state.realm_default_stream_groups[0].id,
    channel_folder_id: folder.channel_folder_id,
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

function ask(by: Caller, { route, fields }: Asking, things: Things): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const sent = encoded(fields(things));
  return by.ask(pathOf(path, things), method === 'GET' ? { query: sent } : { method, form: sent });
}

/** A response without the requested values, and without values that change with every response. */
function seen({ status, text }: Answer, things: Things): unknown {
  let masked = text;
  // Only refusals echo numbers; elsewhere the same numbers may be the caller's own.
  const values = Object.values(things).filter((value) => status !== 200 || typeof value === 'string');
  // A full stop after it ends a sentence, unless more follows.
  for (const value of values) {
    masked = masked.replaceAll(
      new RegExp(`(?<![\\w.-])${String(value).replaceAll('.', '\\.')}(?!\\.?[\\w-])`, 'g'),
      '…',
    );
  }
  return { status, text: masked.replaceAll(/"(queue_id|api_key)":"[^"]*"/g, '"$1":"…"') };
}

describe('Administrators of another organisation', () => {
  test("Every route answers another organisation's administrator as if the object did not exist", async () => {
    // These routes create an object of the same name in the requesting organisation, so they come last.
    const making = ['POST /api/v1/users/me/subscriptions', 'POST /api/v1/users'];
    const foreign = askings.filter(({ isForeign }) => isForeign);
    const inOrder = foreign.sort((a, b) => making.indexOf(a.route) - making.indexOf(b.route));
    expect(inOrder.length).toBeGreaterThan(100);
    for (const asking of inOrder) {
      const theirAnswer = await ask(spy, asking, theirs);
      const nothing = await ask(spy, asking, NOTHING);
      expect([asking.name, nothing.status < 500]).toEqual([asking.name, true]);
      expect([asking.name, seen(theirAnswer, theirs)]).toEqual([asking.name, seen(nothing, NOTHING)]);
      expect([asking.name, theirAnswer.text]).not.toEqual([asking.name, expect.stringContaining('a secret')]);
    }
  });

  test("The requests of another organisation's administrator have changed nothing", async () => {
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

  test('The avatar route shows the default picture for a user id of another organisation', async () => {
    const picture = async (by: Caller, who: number) => (await by.ask(`/avatar/${who}`, {})).headers.get('location');
    expect(await picture(spy, theirs.user_id)).not.toBe(await picture(all.acme.owner, theirs.user_id));
  });
});

test('Every parameter of the API is classified by whether it names an object of an organisation', () => {
  expect(unknownParameters(routes)).toEqual([]);
  expect(superfluous(routes)).toEqual([]);
});

describe('Keys of another organisation', () => {
  const refused = { status: 401, body: { result: 'error', msg: 'Account is not associated with this subdomain' } };

  test("A key of one organisation is refused by every route at another organisation's host", async () => {
    const { beta, acme } = all;
    const { headers } = acme.owner;
    const asked = new Set(askings.map(({ route }) => route));
    for (const { name, method, path } of routes.filter((route) => asked.has(route.name) && !route.isOpen)) {
      const { status, body } = await beta.call(pathOf(path, theirs), { method, headers });
      expect({ name, status, body }).toMatchObject({ name, ...refused });
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

  test('Accounts with the same address in two organisations have different keys', async () => {
    const { beta, acme } = all;
    expect((await acme.member.get('/users/me')).body.full_name).toBe('Max Member');
    expect((await beta.member.get('/users/me')).body.full_name).toBe('Beta member');
    expect(acme.member.headers).not.toEqual(beta.member.headers);
    expect((await beta.call('/api/v1/dev_list_users')).body.direct_admins).toEqual([
      { email: 'owner@example.com', realm_uri: `https://beta.${ROOT}` },
    ]);
  });
});
