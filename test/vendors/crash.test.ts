import { INSTANCE_ONE } from '../api/telephony/people';
import { killAll } from '../support/processes/processes';
import { REAL_VENDORS } from '../support/telephony/pbx-vendors';
import { killMidCall, openProcessStack, type ProcessStack } from '../cluster/telephony/stack';

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;

describe.each(REAL_VENDORS)('Worker killed in the middle of an order to %s', (vendor) => {
  let stack: ProcessStack;
  beforeAll(async () => {
    stack = await openProcessStack({ PBX_LATE_MS: '2000', SWEEP_AFTER_MS: '1000' }, vendor);
  });
  afterEach(() => stack.killWorkers());
  afterAll(async () => {
    await stack.close();
    await killAll();
  });

  test('Another worker finishes each creation, change and deletion of a killed worker, and both sides agree', async () => {
    const { owner } = stack.people;
    const order = <T>(work: () => Promise<T>) => killMidCall(stack, INSTANCE_ONE, work);
    const made = await order(() => owner('POST', PATH, { data: { id: 101, name: 'First' } }));
    expect(made.status).toBe(201);
    const path = `${PATH}/${made.body._id}`;
    const data = { name: 'Second', secret: 'new-secret-for-it' };
    expect(await order(() => owner('PUT', path, { data }))).toMatchObject({ status: 200, body: { data } });
    expect(await order(() => owner('DELETE', path))).toMatchObject({ status: 200 });
    expect(await stack.pbx.numbers(INSTANCE_ONE)).toEqual([]);
  });
});
