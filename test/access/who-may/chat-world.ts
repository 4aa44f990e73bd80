/** An organisation with objects of every kind, and one caller of a given kind who owns none of them. */
import { createRealm } from '../../../src/chat/commands/organisation/realms';
import { createUser } from '../../../src/chat/commands/users/create-user';
import type { RealmId } from '../../../src/chat/model/organisation/realm';
import type { Role } from '../../../src/chat/model/users/user';
import { NOTHING, type Things } from '../../support/chat/requests/things';
import { callerOf, encoded, type Caller } from '../../support/chat/people';
import { basicHeader, type Answer, type TestClient } from '../../support/http/client';
import type { TestNode } from '../../support/kernel/cluster';
import { clientAt, ROOT } from '../../support/chat/organisations';
import { formOf, PNG } from '../../support/pictures';
import { pushAddress } from '../../support/push-address';
import { chatOf } from '../../support/kernel/parts';

/** `former` was an administrator, the bot's owner and a subscriber of the stream, and no longer is. */
export const KINDS = ['guest', 'member', 'bot', 'former', 'admin'] as const;
/** Those that may do all that another kind may. */
export const ABOVE = { moderator: 'member', owner: 'admin' } as const;
export type Above = keyof typeof ABOVE;
export type Kind = (typeof KINDS)[number] | Above;

export interface World {
  readonly client: TestClient;
  readonly actor: Caller;
  readonly things: Things;
}

export async function done(answer: Promise<Answer>) {
  const { body, text } = await answer;
  if (body.result !== 'success') throw new Error(text);
  return body;
}

let worlds = 0;

/** In a private world only the victim is subscribed to the stream. */
export async function openWorld(node: TestNode, kind: Kind, isPrivate: boolean): Promise<World> {
  worlds += 1;
  const subdomain = `world-${worlds}`;
  const { kernel } = node;
  const realmId = await createRealm(chatOf(kernel), { name: 'World', description: '', subdomain });
  const client = clientAt(node, `${subdomain}.${ROOT}`);
  const add = async (name: string, role: Role) => {
    const email = `${name}@example.com`;
    await createUser(kernel, { realmId, email, fullName: `The ${name}`, role });
    return callerOf(client, email);
  };
  const admin = await add('admin', 'admin');
  const victim = await add('victim', 'member');
  const actor = await add(
    'actor',
    kind === 'former' || kind === 'admin' || kind === 'owner' ? 'admin' : kind === 'guest' ? 'guest' : 'member',
  );
  const furnishing = { admin, victim, maker: kind === 'former' ? actor : victim, realmId, isPrivate };
  const { emoji_id, avatar } = await hangPictures(furnishing);
  const furnished = { ...(await furnish(furnishing)), emoji_id, avatar };
  const title = { owner: '100', moderator: '300' }[kind as string];
  if (title !== undefined) await done(admin.patch(`/users/${actor.id}`, { role: title }));
  const things = { ...furnished, export_id: await archiveOf(node, realmId, admin) };
  if (kind === 'former') await loseAll({ admin, victim, actor, things });
  return { client, things, actor: kind === 'bot' ? await botOf(client, actor) : actor };
}

async function botOf(client: TestClient, owner: Caller): Promise<Caller> {
  const { api_key: key, user_id: id } = await done(owner.post('/bots', { full_name: 'Bot', short_name: 'acting' }));
  const { members } = await done(owner.get('/users'));
  const { email } = members.find((each: { user_id: number }) => each.user_id === id);
  return callerOf(client, email, basicHeader(email, key));
}

interface Losing {
  readonly admin: Caller;
  readonly victim: Caller;
  readonly actor: Caller;
  readonly things: Things;
}

async function loseAll({ admin, victim, actor, things }: Losing): Promise<void> {
  const { stream, bot_id: bot } = things;
  await done(actor.del('/users/me/subscriptions', encoded({ subscriptions: [stream] })));
  await done(admin.patch(`/bots/${bot}`, { bot_owner_id: String(victim.id) }));
  await done(admin.patch(`/users/${actor.id}`, { is_admin: 'false' }));
}

interface Furnishing {
  readonly admin: Caller;
  readonly victim: Caller;
  /** Creates the bot and is in the stream from the start. */
  readonly maker: Caller;
  readonly realmId: number;
  readonly isPrivate: boolean;
}

function fileOf(content: BlobPart, name: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  return form;
}

/** A finished export, without a worker that writes it. */
async function archiveOf({ kernel }: TestNode, realmId: RealmId, admin: Caller): Promise<number> {
  const now = new Date();
  const bytes = Buffer.from('a secret');
  const facts = { state: 'done', attempt: 1, size: bytes.length, sha256: '0'.repeat(64) };
  const [id] = await kernel
    .mysql('chat_exports')
    .insert({ realm_id: realmId, acting_user_id: admin.id, created_at: now, touched_at: now, ...facts });
  await kernel.mysql('chat_export_chunks').insert({ export_id: id, attempt: 1, place: 0, bytes });
  return id!;
}

/** Where nobody asks for them, there are none: each is made by a process of its own. */
async function hangPictures({ admin, victim, isPrivate }: Furnishing): Promise<Pick<Things, 'emoji_id' | 'avatar'>> {
  if (isPrivate) return NOTHING;
  const raw = () => ({ method: 'POST', raw: formOf(PNG) });
  await done(admin.ask('/realm/emoji/anvil', raw()));
  await done(admin.ask('/realm/icon', raw()));
  const { avatar_url: url } = await done(victim.ask('/users/me/avatar', raw()));
  const { emoji } = await done(admin.get('/realm/emoji'));
  return { emoji_id: Number(Object.keys(emoji)[0]), avatar: /\w+\.png/.exec(url)![0] };
}

type Furnished = Omit<Things, 'export_id' | 'emoji_id' | 'avatar'>;

async function furnish({ admin, victim, maker, realmId, isPrivate }: Furnishing): Promise<Furnished> {
  const stream = 'the stream';
  const principals = [...new Set([victim.email, maker.email])];
  const making = { subscriptions: [{ name: stream }], invite_only: isPrivate, principals };
  await done(victim.post('/users/me/subscriptions', encoded(making)));
  const file = await done(victim.ask('/user_uploads', { method: 'POST', raw: fileOf('a secret', 'plans.txt') }));
  const said = { type: 'stream', to: stream, topic: 'plans', content: `a secret [plans](${file.uri})` };
  const message = await done(victim.post('/messages', said));
  const privately = { type: 'private', to: [admin.email], content: 'a secret' };
  const { id: private_id } = await done(victim.post('/messages', encoded(privately)));
  const { id: poll_id } = await done(victim.post('/messages', { ...said, content: '/poll a secret' }));
  const bot = await done(maker.post('/bots', { full_name: 'Some Bot', short_name: 'some', bot_type: '2' }));
  const group = { name: 'insiders', description: '', members: [victim.id] };
  await done(admin.post('/user_groups/create', encoded(group)));
  await done(admin.post('/user_groups/create', encoded({ ...group, name: 'inner circle' })));
  const { user_groups: groups } = await done(admin.get('/user_groups'));
  const field = await done(admin.post('/realm/profile_fields', { name: 'Safe', field_type: '1' }));
  const pattern = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://x.example/%(id)s' };
  const filter = await done(admin.post('/realm/filters', pattern));
  const domain = 'world.example';
  await done(admin.post('/realm/domains', encoded({ domain, allow_subdomains: false })));
  const newcomers = { group_name: 'newcomers', description: '', stream_names: [] };
  await done(admin.post('/default_stream_groups/create', encoded(newcomers)));
  const state = await done(admin.post('/register', encoded({ fetch_event_types: ['default_stream_groups'] })));
  const folder = await done(admin.post('/channel_folders/create', { name: 'Secrets', description: '' }));
  const { attachments } = await done(victim.get('/attachments'));
  await done(victim.post('/users/me/presence', { status: 'active' }));
  await done(victim.ask('/web/session', { json: { demo: victim.email } }));
  const queue = await done(victim.post('/register', encoded({ event_types: ['message'] })));
  const { stream_id } = await done(victim.get('/get_stream_id', { stream }));
  const inviting = { invitee_emails: 'guest-to-be@example.net', stream_ids: `[${stream_id}]` };
  await done(victim.post('/invites', inviting));
  await done(admin.post('/invites/multiuse'));
  const draft = { type: 'private', to: [admin.id], topic: '', content: 'not yet sent' };
  const saved = await done(victim.post('/drafts', encoded({ drafts: [draft] })));
  const later = { scheduled_delivery_timestamp: 4_000_000_000 };
  const scheduling = { type: 'private', to: [admin.id], content: 'not yet sent', ...later };
  const scheduled = await done(victim.post('/scheduled_messages', encoded(scheduling)));
  const reminder = await done(victim.post('/reminders', encoded({ message_id: message.id, ...later })));
  const { invites } = await done(admin.get('/invites'));
  const [invite_id, link_id] = invites.map(({ id: inviteId }: { id: number }) => inviteId);
  return {
    message_id: message.id,
    private_id,
    poll_id,
    stream,
    stream_id,
    draft_id: saved.ids[0],
    scheduled_message_id: scheduled.scheduled_message_id,
    reminder_id: reminder.reminder_id,
    push_device_id: (await done(victim.post('/push_devices', pushAddress()))).device_id,
    invite_id,
    link_id,
    email: victim.email,
    user_id: victim.id,
    bot_id: bot.user_id,
    group: 'insiders',
    group_id: groups[0].id,
    inner_group_id: groups[1].id,
    field_id: field.id,
    filter_id: filter.id,
    domain,
    stream_group_id: state.realm_default_stream_groups[0].id,
    channel_folder_id: folder.channel_folder_id,
    attachment_id: attachments[0].id,
    emoji_name: 'anvil',
    realm_id: realmId,
    queue_id: queue.queue_id,
    token: file.uri.split('/')[4],
    session_id: (await done(victim.ask('/web/sessions', {}))).sessions[0].id,
  };
}
