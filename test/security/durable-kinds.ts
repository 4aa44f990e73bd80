/** For every kind of job: work of that kind, started over HTTP, and how to check from outside that it was done. */
import { inboundText, postAsCarrier } from '../api/telephony/texting/carrier-requests';
import { INSTANCE_ONE, type Person } from '../api/telephony/people';
import type { TestClient } from '../support/http/client';
import type { OperatorClient } from '../support/operators';
import { PNG } from '../support/pictures';
import type { OtherServer } from '../support/servers/other-server';
import { countRows, runStatement } from './count-rows';
import { listenToNobody, ownerAtPortal, pushMessage, pushText, scheduleMessage } from './prepared-work';

export interface Surroundings {
  readonly client: TestClient;
  readonly owner: Person;
  readonly operator: OperatorClient;
  readonly databaseUrl: string;
  /** Where pages are and programs of bots run. */
  readonly other: OtherServer;
}

/** Whether the work was done; for repeated work, after the given moment. */
export type IsDone = (since: Date) => Promise<boolean>;
type Begin = (around: Surroundings) => Promise<IsDone>;

/** Numbers and words that no earlier work has used. */
let used = 0;
const fresh = (): number => 1000 + (used += 100);

const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const BULK_ROWS = 12;

/** Scheduled work, which nobody requests: it has to stay on the schedule. */
const scheduled =
  (queue: string): Begin =>
  ({ operator }) =>
    Promise.resolve(async (since) => {
      const { schedules } = (await operator.get('/schedules')).body as {
        schedules: { queue: string; next_at: string }[];
      };
      return schedules.some((each) => each.queue === queue && new Date(each.next_at) > since);
    });

async function conversationWith({ owner }: Surroundings, texts: readonly string[]): Promise<string> {
  const draft = { from_number: '+15550100001', recipients: [{ number: `+1555020${fresh()}` }] };
  const { body } = await owner('POST', '/texting/conversations', draft);
  const id = (body as { id: string }).id;
  for (const text of texts) await owner('POST', `/texting/conversations/${id}/messages`, { text });
  return id;
}

/** Requested jobs that are not in a queue yet. */
export const countUnqueued = ({ databaseUrl }: Surroundings): Promise<number> =>
  countRows(
    databaseUrl,
    "SELECT COUNT(*) AS count FROM kernel_outbox WHERE publisher = 'job' AND published_at IS NULL",
  );

async function messagesNarrowed({ client }: Surroundings, operator: string, operand: string): Promise<string[]> {
  const narrow = JSON.stringify([{ operator, operand }]);
  const query = { anchor: '10000000000000000', num_before: '5', num_after: '0', narrow };
  const headers = await client.basic('member@example.com');
  const { messages } = (await client.call('/api/v1/messages', { query, headers })).body as {
    messages: { content: string }[];
  };
  return messages.map(({ content }) => content);
}

/** Workers of work that nobody requests. */
export const SCHEDULED = ['chat-digests', 'chat-full-members', 'chat-retention', 'calls-forget', 'housekeeping'];

/** By the worker names that `workers/main` uses. */
export const kinds: Readonly<Record<string, Begin>> = {
  ...Object.fromEntries(SCHEDULED.map((name) => [name, scheduled(name)])),
  async 'chat-exports'({ client }) {
    const headers = await client.basic('owner@example.com');
    const { id } = (await client.call('/api/v1/export/realm', { method: 'POST', headers })).body as { id: number };
    return async () => {
      const { body } = await client.call('/api/v1/export/realm', { headers });
      const { exports } = body as { exports: { id: number; progress: number }[] };
      return exports.some((each) => each.id === id && each.progress === 100);
    };
  },
  async 'chat-mail'(around) {
    const email = `invited${fresh()}@example.net`;
    const headers = await around.client.basic('owner@example.com');
    const { body } = await around.client.call('/api/v1/get_stream_id', { query: { stream: 'test' }, headers });
    const form = { invitee_emails: email, stream_ids: JSON.stringify([body.stream_id]) };
    await around.client.call('/api/v1/invites', { form, headers });
    const sql = "SELECT COUNT(*) AS count FROM chat_mails WHERE recipient = ? AND state = 'done'";
    return async () => (await countRows(around.databaseUrl, sql, [email])) === 1;
  },
  async 'chat-missed-messages'({ client, databaseUrl }) {
    const headers = await client.basic('member@example.com');
    const form = { type: 'private', to: 'other@example.com', content: 'are you away?' };
    const { id } = (await client.call('/api/v1/messages', { form, headers })).body as { id: number };
    const sql = 'SELECT COUNT(*) AS count FROM chat_missed_cursors WHERE noted_id >= ?';
    return async () => (await countRows(databaseUrl, sql, [String(id)])) > 0;
  },
  async 'chat-outgoing'(around) {
    const word = `out${fresh()}`;
    around.other.at(`/${word}`, (response) => void response.end('{"content":"done"}'));
    const headers = await around.client.basic('member@example.com');
    const bot = {
      full_name: `Bot ${word}`,
      short_name: word,
      bot_type: '3',
      payload_url: around.other.url(`/${word}`),
    };
    await around.client.call('/api/v1/bots', { form: bot, headers });
    const form = { type: 'stream', to: 'test', topic: word, content: `@**${bot.full_name}** hello` };
    await around.client.call('/api/v1/messages', { form, headers });
    return async () => (await messagesNarrowed(around, 'topic', word)).length === 2;
  },
  async 'chat-previews'(around) {
    const word = `page${fresh()}`;
    const page = '<meta property="og:image" content="/x.png">';
    around.other.at(`/${word}`, (response) => void response.end(page));
    const form = { type: 'stream', to: 'test', topic: word, content: around.other.url(`/${word}`) };
    const [owner, member] = [
      await around.client.basic('owner@example.com'),
      await around.client.basic('member@example.com'),
    ];
    const wanted = { inline_url_embed_preview: 'true' };
    await around.client.call('/api/v1/realm', { method: 'PATCH', form: wanted, headers: owner });
    await around.client.call('/api/v1/messages', { form, headers: member });
    return async () => (await messagesNarrowed(around, 'topic', word)).some((each) => each.includes('message_embed'));
  },
  'chat-push': pushMessage,
  async 'chat-read-marks'(around) {
    const headers = await around.client.basic('member@example.com');
    await around.client.call('/api/v1/mark_all_as_read', { method: 'POST', headers });
    const sql = "SELECT COUNT(*) AS count FROM kernel_mail WHERE mailbox = 'chat-read-marks'";
    return async () => (await countRows(around.databaseUrl, sql)) === 0;
  },
  'chat-scheduled': scheduleMessage,
  async 'chat-search'(around) {
    const word = `needle${fresh()}`;
    const headers = await around.client.basic('member@example.com');
    const form = { type: 'stream', to: 'test', topic: 'search', content: `a ${word} in the hay` };
    await around.client.call('/api/v1/messages', { form, headers });
    return async () => (await messagesNarrowed(around, 'search', word)).length === 1;
  },
  async 'chat-status-ends'(around) {
    const headers = await around.client.basic('member@example.com');
    const form = { status_text: 'soon back', scheduled_end_time: String(Math.ceil(Date.now() / 1000) + 1) };
    await around.client.call('/api/v1/users/me/status', { form, headers });
    const sql = "SELECT COUNT(*) AS count FROM kernel_mail WHERE mailbox = 'chat-status-ends'";
    return async () => (await countRows(around.databaseUrl, sql)) === 0;
  },
  async 'chat-thumbnails'({ client, databaseUrl }) {
    const name = `picture-${fresh()}.png`;
    const raw = new FormData();
    raw.append('file', new Blob([PNG]), name);
    await client.call('/api/v1/user_uploads', {
      method: 'POST',
      headers: await client.basic('member@example.com'),
      raw,
    });
    const sql =
      'SELECT COUNT(*) AS count FROM chat_upload_thumbnails t JOIN chat_uploads u ON u.id = t.upload_id WHERE u.name = ?';
    return async () => (await countRows(databaseUrl, sql, [name])) === 1;
  },
  async 'chat-welcomes'(around) {
    const name = `new${fresh()}`;
    const headers = await around.client.basic('owner@example.com');
    const password = `long enough ${name} words`;
    const form = { email: `${name}@example.com`, password, full_name: name, short_name: name };
    await around.client.call('/api/v1/users', { form, headers });
    const sql =
      "SELECT COUNT(*) AS count FROM chat_messages WHERE origin LIKE 'welcome:%' AND " +
      'origin = (SELECT CONCAT("welcome:", id) FROM chat_users WHERE email = ?)';
    return async () => (await countRows(around.databaseUrl, sql, [`${name}@example.com`])) === 1;
  },
  async 'chat-webhooks'(around) {
    const topic = `delivery ${fresh()}`;
    const { body } = await around.client.call('/api/v1/dev_fetch_api_key', {
      form: { username: 'webhook-bot@example.com' },
    });
    const query = { api_key: (body as { api_key: string }).api_key, stream: 'test', topic };
    await around.client.call('/api/v1/external/json', { query, json: { status: 'ok' } });
    return async () => (await messagesNarrowed(around, 'topic', topic)).length === 1;
  },
  async 'fax-outbound'({ owner }) {
    const file = (await owner('POST', '/files', { name: 'letter.pdf' })).body as { id: string };
    const raw = new FormData();
    raw.append('upfile', new Blob(['%PDF-1.4 one page'], { type: 'application/pdf' }), 'letter.pdf');
    await owner('POST', `/files/${file.id}/upload`, undefined, { raw });
    const draft = { file: file.id, to: '+15550107777', pages: 1 };
    const { body } = await owner('POST', '/fax/messages', draft);
    return async () => (await owner('GET', '/fax/messages?status=delivered&per_page=1000')).text.includes(body.id);
  },
  async 'pbx-bulk'({ owner }) {
    const first = fresh();
    const rows = Array.from({ length: BULK_ROWS }, (_, at) => ({ data: { id: first + at, name: `Row ${at}` } }));
    const { body } = await owner('POST', `${LIST}/import`, rows);
    return async () => {
      const { state, failed, done } = (await owner('GET', `/bulks/${body.id}`)).body;
      if (state === 'finished') expect({ failed, done }).toEqual({ failed: 0, done: BULK_ROWS });
      return state === 'finished';
    };
  },
  async pbx({ owner }) {
    const headers = { Prefer: 'respond-async' };
    const { body } = await owner('POST', LIST, { data: { id: fresh(), name: 'One' } }, { headers });
    return async () => (await owner('GET', `/operations/${body.id}`)).body.state === 'succeeded';
  },
  'pbx-listeners': listenToNobody,
  'pbx-reconciliation-start': ({ owner }) =>
    Promise.resolve(async (since) => {
      const { status, body } = await owner('GET', `/instances/${INSTANCE_ONE}/drift`);
      return status === 200 && new Date(body.at as string) > since;
    }),
  async 'portal-mail'({ client, databaseUrl }) {
    const sql = 'SELECT COUNT(*) AS count FROM tel_entry_links';
    const before = await countRows(databaseUrl, sql);
    await client.call('/portal/api/entry-links', { json: { email: 'member@example.com' } });
    return async () => (await countRows(databaseUrl, sql)) > before;
  },
  'portal-push': pushText,
  async 'portal-webhooks'({ client, other }) {
    const path = `/events-${fresh()}`;
    let isTaken = false;
    other.at(path, (response) => {
      isTaken = true;
      response.writeHead(204).end();
    });
    const page = await ownerAtPortal(client);
    const hooks = '/portal/api/webhooks';
    // A company may have few.
    for (const old of (await page.call(client, hooks)).body) {
      await page.call(client, `${hooks}/${old.id}`, { method: 'DELETE' });
    }
    const made = (await page.call(client, hooks, { json: { url: other.url(path) } })).body as { id: string };
    await page.call(client, `${hooks}/${made.id}/test`, { json: {} });
    return () => Promise.resolve(isTaken);
  },
  async 'presence-sweep'({ databaseUrl }) {
    // Shown as online, though no node has a client of theirs.
    await runStatement(
      databaseUrl,
      'INSERT INTO tel_statuses (contact_id, company_id, id, main_status, main_action_type, additional_status, ' +
        'additional_action_type, is_online, created_at, updated_at) ' +
        "SELECT id, company_id, LEFT(SHA1(id), 24), 'available', 'automatic', '', 'automatic', TRUE, NOW(3), NOW(3) FROM tel_contacts " +
        'LIMIT 1 ON DUPLICATE KEY UPDATE is_online = TRUE',
    );
    const sql = 'SELECT COUNT(*) AS count FROM tel_statuses WHERE is_online';
    return async () => (await countRows(databaseUrl, sql)) === 0;
  },
  async 'texting-forget'(around) {
    const id = await conversationWith(around, ['one', 'two', 'three']);
    await around.owner('DELETE', `/texting/conversations/${id}`);
    const sql = 'SELECT COUNT(*) AS count FROM tel_texts WHERE conversation_id = ? AND deleted_at IS NULL';
    return async () => (await countRows(around.databaseUrl, sql, [id])) === 0;
  },
  async 'texting-inbound'({ client, owner }) {
    const from = `+1555021${fresh()}`;
    await postAsCarrier(client, inboundText({ from }));
    return async () => (await owner('GET', '/texting/conversations?limit=100')).text.includes(from);
  },
  async 'texting-outbound'(around) {
    const id = await conversationWith(around, ['to be sent']);
    return async () => {
      const { text } = await around.owner('GET', `/texting/conversations/${id}/messages`);
      return /"status":"(sent|delivered)"/.test(text);
    };
  },
};
