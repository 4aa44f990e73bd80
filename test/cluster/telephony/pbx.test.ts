import { INSTANCE_ONE, INSTANCE_TWO } from '../../api/telephony/people';
import { killAll } from '../../support/processes/processes';
import { passAnHour } from '../../support/telephony/pbx-undos';
import { until } from '../../support/until';
import { openProcessStack, type ProcessStack } from './stack';

let stack: ProcessStack;

beforeAll(async () => {
  stack = await openProcessStack({
    // So long that only the test ends it.
    PBX_LATE_MS: '600000',
    BREAKER_FAILURES: '1000',
  });
});
afterAll(async () => {
  await stack.close();
  await killAll();
});

const PATH = `/instances/${INSTANCE_ONE}/bulks/extensions`;
const AGREED = { pbx: [], database: [] };
let next = 100;
const draft = () => ({ data: { id: ++next, name: `Phone ${next}` } });

/** Repeated until it succeeds: the workers' deadline is short. */
const make = async () => {
  const { body } = await until(
    () => stack.people.owner('POST', PATH, draft()),
    ({ status }) => status === 201,
  );
  return body;
};

/** What a PBX may do wrong, and for how long. */
const FAULTS = [
  { mode: 'error', times: null },
  { mode: 'error', times: 1 },
  { mode: 'hang', times: null },
  { mode: 'hang', times: 1 },
  { mode: 'reset', times: null },
  { mode: 'reset', times: 2 },
  { mode: 'trickle', times: null },
  { mode: 'trickle', times: 1 },
  { mode: 'garbage', times: null },
  { mode: 'garbage', times: 1 },
  { mode: 'drop-after-apply', times: null },
  { mode: 'drop-after-apply', times: 1 },
  { mode: 'slow', delay_ms: 100, times: null },
  { mode: 'slow', delay_ms: 2000, times: null, late: true },
  { mode: 'slow', delay_ms: 2000, times: 1, late: true },
];

describe('Faults', () => {
  beforeAll(() => stack.startWorker({ PBX_CALL_MS: '500' }));
  afterAll(() => stack.killWorkers());

  test.each(FAULTS)(
    'Under the PBX fault %j every answer is true, and in the end the PBX and the database agree',
    async (fault) => {
      const { owner } = stack.people;
      const [old, gone] = [await make(), await make()];
      const [first, second] = [draft(), draft()];
      await stack.pbx.fault({ instance: INSTANCE_ONE, ...fault });
      const answers = await Promise.all([
        owner('POST', PATH, first),
        owner('PUT', `${PATH}/${old._id}`, { data: { name: 'Changed' } }),
        owner('DELETE', `${PATH}/${gone._id}`),
        owner('POST', PATH, second),
      ]);
      await stack.pbx.fault({ mode: 'ok' });
      await stack.pbx.quiet();
      await passAnHour(stack.node.kernel.mysql, INSTANCE_ONE);
      expect(await stack.differences(INSTANCE_ONE)).toEqual(AGREED);

      const [made, changed, deleted, alsoMade] = answers.map(({ status }) => status);
      for (const status of [made, alsoMade]) expect([201, 502]).toContain(status);
      for (const status of [changed, deleted]) expect([200, 502]).toContain(status);
      const now = await stack.listed(INSTANCE_ONE);
      expect(now.includes(first.data.id)).toBe(made === 201);
      expect(now.includes(second.data.id)).toBe(alsoMade === 201);
      expect(now.includes(gone.data.id)).toBe(deleted !== 200);
      const name = (await owner('GET', `${PATH}/${old._id}`)).body.data.name;
      expect(name).toBe(changed === 200 ? 'Changed' : old.data.name);
      if (fault.times === null && fault.mode !== 'slow')
        expect(answers.map(({ status }) => status)).toEqual([502, 502, 502, 502]);
    },
  );
});

test('A broken PBX does not affect the orders of another company', async () => {
  await stack.startWorker();
  await stack.pbx.fault({ instance: INSTANCE_ONE, mode: 'hang' });
  const stuck = stack.people.owner('POST', PATH, draft());
  await until(
    () => stack.open(),
    (states) => states.includes('running'),
  );
  const other = await stack.people.stranger('POST', `/instances/${INSTANCE_TWO}/bulks/extensions`, draft());
  expect(other.status).toBe(201);
  expect(await stack.open()).toContain('running');
  await stack.killPbx();
  expect((await stuck).status).toBe(502);
  await stack.startPbx();
  await passAnHour(stack.node.kernel.mysql, INSTANCE_ONE);
  expect(await stack.differences(INSTANCE_TWO)).toEqual(AGREED);
});
