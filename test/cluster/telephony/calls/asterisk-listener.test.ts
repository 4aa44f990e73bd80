// Calls of SIP phones on a real Asterisk, as they are seen: live, as events, as states, and in the history.
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { productsOf } from '../../../../src/products';
import { enter, type TestSocket } from '../../../support/http/sockets';
import { startWorkersOf } from '../../../support/kernel/workers';
import { openAmi, type AmiByHand } from '../../../support/telephony/calls/ami-by-hand';
import type { CallPhone } from '../../../support/telephony/calls/call-phone';
import { until } from '../../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../asterisk-stack';
import { openPhones, type OrderedPhones } from './ordered-phones';

interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

(hasPrograms(['asterisk']) ? describe : describe.skip)('Calls on a real Asterisk are seen', () => {
  let stack: AsteriskStack;
  let ami: AmiByHand;
  let events: TestSocket;
  let phones: OrderedPhones;
  const at = (number: number): CallPhone => phones.at(number);
  const get = (path: string): Promise<Answered> => stack.people.owner('GET', path);
  const history = async (query = ''): Promise<Answered['body']> =>
    (await get(`/instances/${ASTERISK}/calls${query}`)).body;
  const live = async (): Promise<Answered['body']> => (await get('/calls/live')).body;
  const lineOf = async (number: number): Promise<string> => {
    const { body } = await get(`/instances/${ASTERISK}/extensions/${phones.idOf(number)}`);
    return `${body.subscriber.state} ${body.subscriber.call_status}`;
  };
  const told = (name: string, callId?: string) =>
    events
      .named(name)
      .map(({ args }) => args[0])
      .filter((each) => callId === undefined || each.call_id === callId);
  const isListening = () => until(live, ({ unknown }) => !unknown.includes(ASTERISK));

  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    ami = await openAmi(stack.at);
    await startWorkersOf(stack.cluster, productsOf(stack.cluster.config()), ['pbx-listeners']);
    events = await enter(stack.node.url, { token: 'demo-key-one' });
    await isListening();
    phones = openPhones(stack);
    await phones.open(601);
    await phones.open(602, { ringtimer: '2', voicemail: 'default', voicemail_vmpwd: '4711' });
  });
  afterAll(async () => {
    phones.close();
    events.close();
    await stack.close();
  });

  test('A phone that registers is seen at once', async () => {
    await until(
      () => lineOf(601),
      (line) => line === 'AUTHENTICATED idle',
    );
    await until(
      () => told('extension.registered').map(({ number }) => number),
      (numbers) => numbers.includes(601),
    );
  });

  test('A call is started, answered and ended, and one row of the history', async () => {
    at(602).manner = 'answers';
    const call = await at(601).finalOf('602');
    expect(call.status).toBe(200);
    const { calls } = await until(live, (seen) => seen.calls[0]?.state === 'answered');
    expect(calls).toEqual([
      expect.objectContaining({
        direction: 'internal',
        from: '601',
        dialled: '602',
        answered_by: '602',
        extensions: [601, 602],
      }),
    ]);
    await until(
      () => lineOf(602),
      (line) => line === 'AUTHENTICATED talking',
    );
    call.hangUp();
    const [row] = await until(history, (rows) => rows.length > 0);
    expect(row).toMatchObject({
      call_id: calls[0].call_id,
      direction: 'internal',
      from: '601',
      from_name: 'Phone 601',
      dialled: '602',
      to: '602',
      answered_by: '602',
      outcome: 'answered',
      has_recording: false,
    });
    await until(live, (seen) => seen.calls.length === 0);
    await until(
      () => lineOf(602),
      (line) => line === 'AUTHENTICATED idle',
    );
    await until(
      () => told('call.ended', row.call_id),
      (ended) => ended.length === 1,
    );
    expect(['call.started', 'call.answered', 'call.ended'].map((name) => told(name, row.call_id).length)).toEqual([
      1, 1, 1,
    ]);
    const left = await ami.ask({ action: 'DBGetTree', Family: 'partyline', Key: 'done/main' });
    expect(left).not.toContain(row.call_id);
  });

  test('A call that nobody takes comes into the history with its voicemail, one that is refused as busy', async () => {
    at(602).manner = 'rings';
    const call = await at(601).finalOf('602');
    expect(call.status).toBe(200);
    await call.speak(500);
    call.hangUp();
    const [missed] = await until(
      () => history('?answered=false'),
      (rows) => rows.length === 1,
    );
    expect(missed).toMatchObject({ outcome: 'voicemail', talk_seconds: 0, answered_by: '', to: '602' });
    at(601).manner = 'is busy';
    expect((await at(602).finalOf('601')).status).toBe(486);
    const [busy] = await until(
      () => history('?answered=false'),
      (rows) => rows.length === 2,
    );
    expect(busy).toMatchObject({ outcome: 'busy', from: '602', dialled: '601' });
  });

  test('What a feature code changes at the telephone is adopted at once', async () => {
    at(601).manner = 'rings';
    const path = `/instances/${ASTERISK}/extensions/${phones.idOf(601)}/forwards`;
    (await at(601).finalOf('*78')).hangUp();
    await until(
      async () => (await get(path)).body,
      (forwards) => forwards.do_not_disturb === true && forwards.source === 'pbx',
    );
    (await at(601).finalOf('*79')).hangUp();
    await until(
      async () => (await get(path)).body,
      (forwards) => forwards.do_not_disturb === false,
    );
  });

  test('A user is shown as being on the phone while their extension talks, unless they have set a status', async () => {
    const { ids: people, member } = stack.people;
    await phones.open(603, {}, people.member);
    const additional = async () => {
      const { body } = await stack.people.owner('GET', '/statuses/v2/users');
      const own = (body as { user_id: string; additional_status: object }[]).find(
        (each) => each.user_id === people.member,
      );
      return own!.additional_status;
    };
    const talk = async () => {
      at(602).manner = 'answers';
      const call = await at(603).finalOf('602');
      await until(
        () => lineOf(603),
        (line) => line.endsWith('talking'),
      );
      return call;
    };
    const first = await talk();
    await until(additional, (shown) => JSON.stringify(shown).includes('on-the-phone'));
    expect(await additional()).toEqual({ status: 'on-the-phone', action_type: 'automatic' });
    first.hangUp();
    await until(additional, (shown) => JSON.stringify(shown).includes('""'));
    const set = await member('PATCH', '/status/v2/current-user', {
      additional_status: { status: 'away', action_type: 'manual' },
    });
    expect(set.status).toBe(200);
    const second = await talk();
    expect(await additional()).toMatchObject({ status: 'away' });
    second.hangUp();
    await until(
      () => lineOf(603),
      (line) => line.endsWith('idle'),
    );
  });

  test('A connection that breaks leaves nothing known, and what happened meanwhile is told after it', async () => {
    at(602).manner = 'answers';
    const call = await at(601).finalOf('602');
    const [{ call_id: callId }] = (await until(live, ({ calls }) => calls[0]?.state === 'answered')).calls;
    stack.proxy.refuseSockets(true);
    const seen = await until(live, ({ unknown }) => unknown.includes(ASTERISK));
    expect(seen.calls).toEqual([]);
    expect(await lineOf(602)).toMatch(/ unknown$/);
    call.hangUp();
    await until(() => at(602).incoming.every(({ isOver, end }) => end !== 'answered' || isOver));
    expect(told('call.ended', callId)).toEqual([]);
    stack.proxy.refuseSockets(false);
    await until(
      () => told('call.ended', callId),
      (ended) => ended.length === 1,
    );
    await until(
      () => lineOf(602),
      (line) => line === 'AUTHENTICATED idle',
    );
    await until(history, (rows) => rows.some((each: { call_id: string }) => each.call_id === callId));
  });

  test('Calls of the time that nobody listened come into the history, each once', async () => {
    const before = (await history('?limit=1000')).length;
    stack.proxy.refuseSockets(true);
    await until(live, ({ unknown }) => unknown.includes(ASTERISK));
    at(602).manner = 'answers';
    for (let made = 0; made < 3; made += 1) (await at(601).finalOf('602')).hangUp();
    await until(() => at(602).incoming.every(({ isOver, end }) => end !== 'answered' || isOver));
    expect(await history('?limit=1000')).toHaveLength(before);
    // The answer to a removal is lost, so the record is read again.
    let left = 2;
    stack.proxy.decide(({ object }) => (object === 'ami/DBDel' && left-- > 0 ? 'lose-request' : 'pass'));
    stack.proxy.refuseSockets(false);
    await until(
      () => history('?limit=1000'),
      (rows) => rows.length >= before + 3,
    );
    (await at(601).finalOf('602')).hangUp();
    const rows = await until(
      () => history('?limit=1000'),
      (all) => all.length >= before + 4,
    );
    expect(new Set(rows.map((each: { call_id: string }) => each.call_id)).size).toBe(before + 4);
    await until(
      () => ami.ask({ action: 'DBGetTree', Family: 'partyline', Key: 'done/main' }),
      (said) => said.includes('ListItems: 0'),
    );
  });

  test('A phone that leaves is seen', async () => {
    const before = told('extension.unregistered').length;
    await stack.pjsip('DELETE', 'aor/601');
    await until(
      () => lineOf(601),
      (line) => line === 'UNAUTHENTICATED offline',
    );
    await until(
      () => told('extension.unregistered').length,
      (count) => count === before + 1,
    );
  });
});
