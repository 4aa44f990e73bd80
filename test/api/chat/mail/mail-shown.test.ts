import { seedDemo } from '../../../../src/telephony/commands/seed-demo';
import { demoPeople, refusal, type DemoPeople } from '../../../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../../../support/kernel/cluster';
import { openPage } from '../../../support/chat/mailed';
import { until } from '../../../support/until';
import { startWorkers } from '../../../support/kernel/workers';

let cluster: Cluster;
let node: TestNode;
let people: DemoPeople;

beforeAll(async () => {
  cluster = await openCluster({
    RATE_LIMIT: 'off',
    PUBLIC_URL: 'https://chat.example.org',
    SECRET_KEY: 'b3d1a9c27f5e48609a1c3d5e7f90b2c4',
  });
  await cluster.seed();
  node = await cluster.node();
  people = await demoPeople(node);
  await startWorkers(cluster, 'chat-mail');
});
afterAll(() => cluster.close());

test('A development server shows the newest mail on a page with working links', async () => {
  expect((await node.call('/development/emails')).text).toContain('There is none yet.');
  const { stream_id: id } = (await people.owner.get('/get_stream_id', { stream: 'test' })).body;
  expect((await people.owner.patch('/realm', { name: '"Acme <b>Bold"' })).status).toBe(200);
  await people.owner.post('/invites', { invitee_emails: 'ann@example.net', stream_ids: `[${id}]` });
  const { status, text } = await until(
    () => openPage(node, '/development/emails'),
    (page) => page.text.includes('ann@example.net'),
  );
  expect(status).toBe(200);
  expect(text).toMatch(/<a href="https:\/\/chat\.example\.org\/join\/[\w-]{43}">/);
  expect(text).toContain('Acme &lt;b&gt;Bold');
  expect(text).toContain('<a href="https://chat.example.org">');
});

test('The page shows the mail of the portal too', async () => {
  await seedDemo(node.kernel, 'http://127.0.0.1:9981');
  await startWorkers(cluster, 'portal-mail');
  expect((await node.call('/portal/api/entry-links', { json: { email: 'owner@example.com' } })).status).toBeLessThan(
    300,
  );
  const { text } = await until(
    () => openPage(node, '/development/emails'),
    (page) => page.text.includes('owner@example.com, '),
  );
  expect(text).toMatch(/<a href="https:\/\/chat\.example\.org\/portal[^"]*#/);
});

describe('Production server without SMTP_URL', () => {
  let production: TestNode;

  beforeAll(async () => {
    production = await cluster.node({ NODE_ENV: 'production' });
  });

  test('A production server has no page that shows sent mail', async () => {
    const page = await openPage(production, '/development/emails');
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('Dev environment not enabled.') });
  });

  test('A production server without SMTP_URL refuses requests that need mail, with the reason', async () => {
    const msg = 'This server sends no mail: whoever runs it has to set SMTP_URL';
    const off = refusal(msg, { code: 'MAIL_DISABLED' });
    const { headers } = people.owner;
    const { stream_id: id } = (await people.owner.get('/get_stream_id', { stream: 'test' })).body;
    const form = { invitee_emails: 'ben@example.net', stream_ids: `[${id}]` };
    expect(await production.call('/api/v1/invites', { form, headers })).toMatchObject(off);
    expect(await production.call('/api/v1/invites/multiuse', { method: 'POST', headers })).toMatchObject(off);
    const reset = { form: { email: 'member@example.com' } };
    expect(await production.call('/api/v1/password_reset', reset)).toMatchObject(off);
  });
});
