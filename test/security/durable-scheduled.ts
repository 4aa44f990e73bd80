/** A scheduled message, and how to see that it was sent, once. */
import type { TestClient } from '../support/http/client';
import { countRows } from './count-rows';

interface Around {
  readonly client: TestClient;
  readonly databaseUrl: string;
}

/** Time enough to ask for it on a slow machine. */
const AHEAD = 10;
let asked = 0;

export async function scheduleMessage({ client, databaseUrl }: Around): Promise<() => Promise<boolean>> {
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
