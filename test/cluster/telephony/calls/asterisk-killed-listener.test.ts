// A worker that listens to an Asterisk is killed in the middle of calls, and so is the Asterisk.
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { killAll, startProcess } from '../../../support/processes/processes';
import { enter, type TestSocket } from '../../../support/http/sockets';
import { until } from '../../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../asterisk-stack';
import { openPhones, type OrderedPhones } from './ordered-phones';

const LEASE_MS = 3000;

(hasPrograms(['asterisk']) ? describe : describe.skip)('Listeners to a real Asterisk that are killed', () => {
  let stack: AsteriskStack;
  let phones: OrderedPhones;
  let events: TestSocket;
  const start = (name: string) =>
    startProcess(
      'workers/main.ts',
      { ...stack.cluster.environment, NODE_NAME: name, LOG_LEVEL: 'info', LEASE_MS: String(LEASE_MS) },
      ['pbx-listeners'],
    );
  const live = async () => (await stack.people.owner('GET', '/calls/live')).body;
  const isKnown = (seen: { unknown: string[] }) => !seen.unknown.includes(ASTERISK);
  const rows = async () =>
    (await stack.people.owner('GET', `/instances/${ASTERISK}/calls`)).body as { call_id: string }[];
  const told = (name: string, callId: string) => events.named(name).filter(({ args }) => args[0].call_id === callId);
  const talk = async () => {
    phones.at(622).manner = 'answers';
    const call = await phones.at(621).finalOf('622');
    expect(call.status).toBe(200);
    const { calls } = await until(live, (seen) => seen.calls[0]?.state === 'answered');
    return { call, callId: calls[0].call_id as string };
  };

  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    events = await enter(stack.node.url, { token: 'demo-key-one' });
    phones = openPhones(stack);
    await phones.open(621);
    await phones.open(622);
  });
  afterAll(async () => {
    await killAll();
    phones.close();
    events.close();
    await stack.close();
  });

  test('Another worker takes over, tells what happened meanwhile, and no call is told or stored twice', async () => {
    const first = start('first');
    await until(live, isKnown);
    const second = start('second');
    await second.line(/worker ready/);
    const { call, callId } = await talk();
    first.kill('SIGKILL');
    call.hangUp();
    // Never wrong for longer than what was known counts, and then unknown until somebody else knows.
    await until(live, (seen) => !isKnown(seen) || seen.calls.length === 0);
    await until(live, (seen) => isKnown(seen) && seen.calls.length === 0);
    await until(
      () => told('call.ended', callId),
      (ended) => ended.length === 1,
    );
    await until(rows, (found) => found.some((each) => each.call_id === callId));
    const { call: next, callId: nextId } = await talk();
    next.hangUp();
    await until(
      () => told('call.ended', nextId),
      (ended) => ended.length === 1,
    );
    const found = await until(rows, (all) => all.some((each) => each.call_id === nextId));
    expect(found.map((each) => each.call_id).toSorted()).toEqual([callId, nextId].toSorted());
    for (const name of ['call.started', 'call.answered', 'call.ended']) {
      expect([name, told(name, callId).length, told(name, nextId).length]).toEqual([name, 1, 1]);
    }
  });

  test('An Asterisk that is killed in a call leaves nothing known, then that nobody talks', async () => {
    const before = await rows();
    const { callId } = await talk();
    await stack.writtenDown();
    await stack.kill();
    await until(live, (seen) => !isKnown(seen));
    expect(told('call.ended', callId)).toEqual([]);
    await stack.start();
    await until(
      () => told('call.ended', callId),
      (ended) => ended.length === 1,
    );
    await until(live, (seen) => isKnown(seen) && seen.calls.length === 0);
    await phones.at(622).register();
    await phones.at(621).register();
    const { call, callId: nextId } = await talk();
    call.hangUp();
    const found = await until(rows, (all) => all.some((each) => each.call_id === nextId));
    expect(found.length).toBe(before.length + 1);
  });
});
