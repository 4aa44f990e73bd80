import { INSTANCE_ONE, problem } from '../../api/telephony/people';
import type { OperationId } from '../../../src/telephony/model/extensions/operation';
import { sendToPbx } from '../../support/telephony/pbx-undos';
import { killAll } from '../../support/processes/processes';
import { until } from '../../support/until';
import { killMidCall, openProcessStack, type ProcessStack } from './stack';

let stack: ProcessStack;

beforeAll(async () => {
  stack = await openProcessStack({ PBX_LATE_MS: '2000', SWEEP_AFTER_MS: '1000' });
});
afterEach(() => stack.killWorkers());
afterAll(async () => {
  await stack.close();
  await killAll();
});

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const AGREED = { pbx: [], database: [] };
let next = 100;
const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });

async function create() {
  const worker = await stack.startWorker();
  const { status, body } = await stack.people.owner('POST', PATH, draft());
  expect(status).toBe(201);
  worker.kill('SIGTERM');
  await worker.ended;
  return body;
}

describe('Worker killed after the PBX applied an order and before that was recorded', () => {
  test('A creation whose worker is killed is found done by another worker, gets 201, and was sent to the PBX once', async () => {
    const body = draft();
    const answer = await killMidCall(stack, INSTANCE_ONE, () => stack.people.owner('POST', PATH, body));
    expect(answer.status).toBe(201);
    const requests = (await stack.pbx.requests(INSTANCE_ONE)).filter(({ number }) => number === String(body.data.id));
    expect(requests).toHaveLength(1);
    expect(await stack.listed(INSTANCE_ONE)).toContain(body.data.id);
  });

  test('A change whose worker is killed ends with the new values here and in the PBX', async () => {
    const made = await create();
    const change = { data: { name: 'After', secret: 'new-secret-for-it' } };
    const answer = await killMidCall(stack, INSTANCE_ONE, () =>
      stack.people.owner('PUT', `${PATH}/${made._id}`, change),
    );
    expect(answer).toMatchObject({ status: 200, body: { data: { name: 'After' } } });
  });

  test('A deletion whose worker is killed ends with the extension gone here and in the PBX', async () => {
    const made = await create();
    const answer = await killMidCall(stack, INSTANCE_ONE, () => stack.people.owner('DELETE', `${PATH}/${made._id}`));
    expect(answer.status).toBe(200);
    expect(await stack.pbx.numbers(INSTANCE_ONE)).not.toContain(made.data.id);
  });
});

test('A worker that is frozen for longer than its lease changes nothing when it resumes', async () => {
  const frozen = await stack.startWorker({ NODE_NAME: 'frozen' });
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'hold', times: 1 });
  const body = draft();
  const answer = stack.people.owner('POST', PATH, body);
  await until(
    () => stack.pbx.requests(INSTANCE_ONE),
    (all) => all.some(({ number }) => number === String(body.data.id)),
  );
  frozen.kill('SIGSTOP');
  await stack.pbx.fault({ mode: 'ok' });
  const heir = await stack.startWorker({ NODE_NAME: 'heir' });
  expect((await answer).status).toBe(201);
  const again = await stack.people.owner('PATCH', `${PATH}/${(await answer).body._id}`, { data: { name: 'Later' } });
  expect(again.status).toBe(200);
  frozen.kill('SIGCONT');
  // It ends its turn, and then finds that it no longer owns the job.
  await frozen.line(new RegExp(`job at-${INSTANCE_ONE}.*moveToFinished`));
  expect(await stack.differences(INSTANCE_ONE)).toEqual(AGREED);
  expect((await stack.people.owner('GET', `${PATH}/${(await answer).body._id}`)).body.data.name).toBe('Later');
  for (const worker of [frozen, heir]) worker.kill('SIGTERM');
  await Promise.all([frozen.ended, heir.ended]);
});

test('An order whose requester and worker are gone is finished by the next worker', async () => {
  const doomed = await stack.startWorker({ PAUSE_AT: 'mid-call' });
  const body = draft();
  const headers = { Prefer: 'respond-async' };
  const placed = await stack.people.owner('POST', PATH, body, { headers });
  expect(placed.status).toBe(202);
  await doomed.line(/paused at mid-call/);
  doomed.kill('SIGKILL');
  await doomed.ended;
  expect(await stack.listed(INSTANCE_ONE)).not.toContain(body.data.id);
  const heir = await stack.startWorker();
  const done = await until(
    () => stack.people.owner('GET', `/operations/${placed.body.id}`),
    ({ body: { is_finished: isFinished } }) => isFinished,
  );
  expect(done.body.state).toBe('succeeded');
  expect(await stack.differences(INSTANCE_ONE)).toEqual(AGREED);
  heir.kill('SIGTERM');
  await heir.ended;
});

test('A poisoned order is visibly given up after some attempts, and the other orders proceed', async () => {
  const worker = await stack.startWorker();
  const made = await stack.people.owner('POST', PATH, draft());
  expect(made.status).toBe(201);
  const { mysql } = stack.node.kernel;
  const { number: _, ...like } = await mysql('tel_operations').where({ extension_id: made.body._id }).first();
  const at = (seconds: number) => mysql.raw('NOW(3) + INTERVAL ? SECOND', [seconds]);
  await mysql('tel_operations').insert({
    ...like,
    id: 'f'.repeat(24),
    kind: 'update',
    payload: 'not decryptable',
    state: 'pending',
    attempts: 0,
    idempotency_hash: null,
    answer: null,
    finished_at: null,
    deadline_at: at(60),
  });
  await sendToPbx(stack.node.kernel, INSTANCE_ONE, { kind: 'order', id: 'f'.repeat(24) as OperationId });
  const others = await Promise.all([draft(), draft()].map((body) => stack.people.owner('POST', PATH, body)));
  for (const { status } of others) expect([201, 502]).toContain(status);
  const done = await until(
    () => stack.people.owner('GET', `/operations/${'f'.repeat(24)}`),
    ({ body }) => body.is_finished,
  );
  expect(done.body).toMatchObject({ state: 'failed', detail: 'The order cannot be carried out' });
  expect((await stack.people.owner('POST', PATH, draft())).status).toBe(201);
  expect(await stack.differences(INSTANCE_ONE)).toEqual(AGREED);
  worker.kill('SIGTERM');
  await worker.ended;
});

test('A requester whose push of the answer is lost finds the answer in its row', async () => {
  const worker = await stack.startWorker();
  const deaf = await stack.cluster.node();
  deaf.kernel.redis.subscriber.disconnect();
  const headers = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary' };
  const answer = await deaf.call(PATH, { json: draft(), headers });
  expect(answer.status).toBe(201);
  worker.kill('SIGTERM');
  await worker.ended;
});

test('An order during which the PBX is killed gets 502 and leaves nothing half done, and later orders succeed', async () => {
  const worker = await stack.startWorker();
  const secret = 'canary-secret-0123456789';
  await stack.pbx.fault({ mode: 'ok' });
  const kept = await stack.people.owner('POST', PATH, { data: { ...draft().data, secret } });
  expect(kept.status).toBe(201);
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'hang' });
  const body = draft();
  const answer = stack.people.owner('POST', PATH, body);
  await until(
    () => stack.pbx.requests(INSTANCE_ONE),
    (all) => all.some(({ number }) => number === String(body.data.id)),
  );
  await stack.killPbx();
  expect(await answer).toMatchObject(problem(502));
  expect(await stack.people.owner('DELETE', `${PATH}/${kept.body._id}`)).toMatchObject(problem(502));
  await stack.startPbx();
  await until(
    async () => (await stack.people.owner('POST', PATH, body)).status,
    (status) => status === 201,
  );
  expect(await stack.differences(INSTANCE_ONE)).toEqual(AGREED);
  expect(worker.output()).not.toContain(secret);
  worker.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
});
