/** Work that takes some preparation, and how to see that it was done. */
import { inboundText, postAsCarrier } from '../api/telephony/texting/carrier-requests';
import type { TestClient } from '../support/http/client';
import { pageOf, type TestPage } from '../support/http/pages';
import { pushAddress } from '../support/push-address';
import type { OtherServer } from '../support/servers/other-server';
import { countRows, runStatement } from './count-rows';

interface Around {
  readonly client: TestClient;
  readonly other: OtherServer;
  readonly databaseUrl: string;
}

/** Time enough to ask for it on a slow machine. */
const AHEAD = 10;
let asked = 0;

/** A message that is due soon, sent once. */
export async function scheduleMessage({ client, databaseUrl }: Omit<Around, 'other'>): Promise<() => Promise<boolean>> {
  const topic = `later ${(asked += 1)}`;
  const headers = await client.basic('member@example.com');
  const { body } = await client.call('/api/v1/get_stream_id', { query: { stream: 'test' }, headers });
  const form = {
    type: 'stream',
    to: String(body.stream_id),
    topic,
    content: 'at last',
    scheduled_delivery_timestamp: String(Math.ceil(Date.now() / 1000) + AHEAD),
  };
  await client.call('/api/v1/scheduled_messages', { form, headers });
  const sql = 'SELECT COUNT(*) AS count FROM chat_messages WHERE topic = ?';
  return async () => (await countRows(databaseUrl, sql, [topic])) === 1;
}

/** A device at a push service, and whether a push has come there. */
function deviceAt(other: OtherServer) {
  const path = `/push-${(asked += 1)}`;
  let isTaken = false;
  other.at(path, (response) => {
    isTaken = true;
    response.writeHead(201).end();
  });
  const { port } = new URL(other.url(path));
  return { address: { ...pushAddress(), endpoint: `http://127.0.0.1:${port}${path}` }, isTaken: () => isTaken };
}

const isDelivered = async (databaseUrl: string, mailbox: string, id: number): Promise<boolean> => {
  const sql = 'SELECT COUNT(*) AS count FROM kernel_mail WHERE mailbox = ? AND address = ?';
  return (await countRows(databaseUrl, sql, [mailbox, String(id)])) === 0;
};

/** A push to the device of somebody who is away. */
export async function pushMessage({ client, other, databaseUrl }: Around): Promise<() => Promise<boolean>> {
  const { address: form, isTaken } = deviceAt(other);
  const headers = await client.basic('other@example.com');
  const { device_id: id } = (await client.call('/api/v1/push_devices', { form, headers })).body as {
    device_id: number;
  };
  const note = { type: 'private', to: 'other@example.com', content: 'are you away?' };
  await client.call('/api/v1/messages', { form: note, headers: await client.basic('member@example.com') });
  return async () => isTaken() && (await isDelivered(databaseUrl, 'chat-push', id));
}

/** A push to the browser of a company's owner. */
export async function pushText({ client, other, databaseUrl }: Around): Promise<() => Promise<boolean>> {
  const page = await ownerAtPortal(client);
  const { address: json, isTaken } = deviceAt(other);
  const { device_id: id } = (await page.call(client, '/portal/api/push-devices', { json })).body as {
    device_id: number;
  };
  await postAsCarrier(client, inboundText({ text: 'are you there?' }));
  return async () => isTaken() && (await isDelivered(databaseUrl, 'portal-push', id));
}

export async function ownerAtPortal(client: TestClient): Promise<TestPage> {
  const { demo_contacts: contacts } = (await client.call('/portal/api/session')).body as {
    demo_contacts: { id: string; email: string }[];
  };
  const { id } = contacts.find(({ email }) => email === 'owner@example.com')!;
  return pageOf(await client.call('/portal/api/session', { json: { demo: id } }));
}

let absent = 0;

/** An Asterisk that is not there: somebody tries to listen to it all the same. */
export async function listenToNobody({ databaseUrl }: Pick<Around, 'databaseUrl'>): Promise<() => Promise<boolean>> {
  const number = String((absent += 1));
  const uuid = `90000000-0000-4000-8000-${number.padStart(12, '0')}`;
  await runStatement(
    databaseUrl,
    'INSERT INTO tel_instances (uuid, id, company_id, location_id, backend, address, details, created_at, updated_at) ' +
      `SELECT '${uuid}', '${number.padStart(24, '9')}', company_id, location_id, 'asterisk-ari', 'http://127.0.0.1:9', ` +
      "'{}', NOW(3), NOW(3) FROM tel_instances LIMIT 1",
  );
  const sql = 'SELECT COUNT(*) AS count FROM kernel_mailbox_leases WHERE address = ? AND held_until > NOW(3)';
  return async () => (await countRows(databaseUrl, sql, [`pbx-listener/${uuid}`])) === 1;
}
