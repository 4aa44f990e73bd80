import { operator, type OperatorClient } from '../../../support/operators';
import { openMailedCluster, tokenIn, type MailedCluster } from '../../../support/chat/mailed';
import { until } from '../../../support/until';

let all: MailedCluster;
let stream: number;
let full: OperatorClient;

beforeAll(async () => {
  all = await openMailedCluster();
  stream = (await all.people.owner.get('/get_stream_id', { stream: 'test' })).body.stream_id;
  full = await operator(all.node.kernel, all.node, 'ada', 'full');
});
afterAll(() => all.close());

async function invite(email: string): Promise<void> {
  const form = { invitee_emails: email, stream_ids: `[${stream}]` };
  expect((await all.people.owner.post('/invites', form)).status).toBe(200);
}

const settled = (email: string, state: string) =>
  until(
    () => all.states(email),
    (rows) => rows.length > 0 && rows.every((row) => row.state === state),
  );
const deadLetters = async (query: Record<string, string> = {}) =>
  (await full.get('/dead-letters', { work_queue: 'mails', ...query })).body.dead_letters as Record<string, unknown>[];

test('A mail that was sent is recorded as done with one attempt', async () => {
  await invite('done@example.net');
  await all.mailTo('done@example.net');
  expect(await settled('done@example.net', 'done')).toEqual([{ state: 'done', attempts: 1, error: null }]);
});

test('A mail that the mail server defers is retried until the server accepts it', async () => {
  all.server.refused.set('later@example.net', { code: 451, message: 'Greylisted, come again' });
  await invite('later@example.net');
  const [row] = await until(
    () => all.states('later@example.net'),
    (rows) => rows.length > 0 && rows[0]!.attempts >= 2,
  );
  expect(row).toMatchObject({ state: 'pending', error: expect.stringContaining('Greylisted') });
  expect(await deadLetters({ error: 'Greylisted' })).toEqual([]);
  all.server.refused.delete('later@example.net');
  await all.mailTo('later@example.net');
  expect((await settled('later@example.net', 'done'))[0]!.attempts).toBeGreaterThanOrEqual(3);
});

test('A send to a mail server that stops answering is given up at the deadline and retried', async () => {
  all.server.silent.add('silent@example.net');
  await invite('silent@example.net');
  await until(
    () => all.states('silent@example.net'),
    (rows) => rows.length > 0 && rows[0]!.attempts >= 1,
  );
  all.server.silent.delete('silent@example.net');
  await all.mailTo('silent@example.net');
});

test("A mail's lease lasts as long as a send may take, whatever LEASE_MS is", async () => {
  all.server.silent.add('slow@example.net');
  await invite('slow@example.net');
  const { mysql } = all.node.kernel;
  const address = mysql('chat_mails')
    .where({ recipient: 'slow@example.net' })
    .select(mysql.raw("CONCAT('chat-mail/', id)"));
  const left = mysql.raw('TIMESTAMPDIFF(SECOND, NOW(3), held_until) AS seconds');
  const [lease] = await until(
    () => mysql('kernel_mailbox_leases').where({ address }).select(left) as Promise<{ seconds: number }[]>,
    ({ length }) => length === 1,
  );
  expect(lease!.seconds).toBeGreaterThanOrEqual(5);
  all.server.silent.delete('slow@example.net');
  await all.mailTo('slow@example.net');
});

describe('Mails that the server refuses for good', () => {
  const reason = expect.stringContaining('No such user here');

  test("A mail that the server refuses for good becomes a dead letter with the server's reason", async () => {
    all.server.refused.set('bounce@example.net', { code: 550, message: 'No such user here' });
    await invite('bounce@example.net');
    expect(await settled('bounce@example.net', 'failed')).toEqual([{ state: 'failed', attempts: 1, error: reason }]);
    const [letter] = await deadLetters({ error: 'No such user' });
    expect(letter).toMatchObject({ work_queue: 'mails', kind: 'invitation', subject: 'bounce@example.net', reason });
    const whole = await full.get(`/jobs/mails/${String(letter!['id'])}`);
    expect(whole.body).toMatchObject({ state: 'dead', payload: { kind: 'invitation' } });
    expect(whole.text).not.toContain('/join/');
    const metrics = (await all.node.call('/metrics')).text;
    expect(metrics).toMatch(/work_queue="mails"/);
  });

  test('A dead mail is sent when an operator retries it', async () => {
    all.server.refused.delete('bounce@example.net');
    const [letter] = await deadLetters({ error: 'No such user' });
    expect((await full.post(`/jobs/mails/${String(letter!['id'])}/retry`)).status).toBe(200);
    expect(tokenIn(await all.mailTo('bounce@example.net'), 'join')).toBeDefined();
    await settled('bounce@example.net', 'done');
    expect(await deadLetters({ error: 'No such user' })).toEqual([]);
  });

  test('A dead mail that an operator discards is never sent', async () => {
    all.server.refused.set('unwanted@example.net', { code: 550, message: 'Go away' });
    await invite('unwanted@example.net');
    await settled('unwanted@example.net', 'failed');
    const [letter] = await deadLetters({ error: 'Go away' });
    expect((await full.post(`/jobs/mails/${String(letter!['id'])}/discard`)).status).toBe(200);
    await settled('unwanted@example.net', 'dropped');
    expect(await deadLetters({ error: 'Go away' })).toEqual([]);
  });
});

test('A mail that is deferred for too long becomes a dead letter', async () => {
  all.server.refused.set('old@example.net', { code: 451, message: 'Not today' });
  await invite('old@example.net');
  const { mysql } = all.node.kernel;
  const longAgo = { created_at: mysql.raw('NOW(3) - INTERVAL 5 HOUR') };
  await mysql('chat_mails').where({ recipient: 'old@example.net' }).update(longAgo);
  expect((await settled('old@example.net', 'failed'))[0]!.error).toContain('Not today');
});

test('An invitation that is revoked before its mail was sent is not mailed', async () => {
  all.server.refused.set('revoked@example.net', { code: 451, message: 'Wait' });
  await invite('revoked@example.net');
  await until(
    () => all.states('revoked@example.net'),
    ([row]) => (row?.attempts ?? 0) > 0,
  );
  const { mysql } = all.node.kernel;
  const { id } = await mysql('chat_invitations').where({ email: 'revoked@example.net' }).first('id');
  await all.people.owner.del(`/invites/${id}`);
  // Refused until then: an earlier attempt may still be running.
  expect(await settled('revoked@example.net', 'dropped')).toMatchObject([
    { error: expect.stringContaining('revoked') },
  ]);
  all.server.refused.delete('revoked@example.net');
  expect(all.server.taken.flatMap(({ to }) => to)).not.toContain('revoked@example.net');
});

test('A pending mail whose job was lost with Redis is found and sent', async () => {
  const { mysql } = all.node.kernel;
  const { id: realmId } = await mysql('chat_realms').first('id');
  const about = JSON.stringify({ kind: 'password-reset' });
  const now = mysql.raw('NOW(3)');
  await mysql('chat_mails').insert({
    realm_id: realmId,
    kind: 'password-reset',
    recipient: 'member@example.com',
    about,
    state: 'pending',
    due_at: now,
    created_at: now,
  });
  await all.mailTo('member@example.com');
});
