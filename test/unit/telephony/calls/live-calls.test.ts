import { readEvent, type AriEvent } from '../../../../src/telephony/model/calls/ari-events';
import { callNews } from '../../../../src/telephony/model/calls/call-news';
import { lineNews, lineOf } from '../../../../src/telephony/model/calls/line';
import { LiveCalls, type LiveCall } from '../../../../src/telephony/model/calls/live-calls';

const PBX = '30000000-0000-4000-8000-000000000001';
const AT = '2026-11-19T08:00:00.000+0000';
const numberAt = (endpoint: string) => (/^\d+$/.test(endpoint) ? Number(endpoint) : undefined);

const channel = (id: string, name: string, state: string, exten = '') => ({
  id,
  name,
  state,
  caller: { name: 'Ann', number: '5551234' },
  dialplan: { exten },
  creationtime: AT,
});
const event = (type: string, more: object): AriEvent => readEvent(JSON.stringify({ type, timestamp: AT, ...more }))!;
const created = (each: object) => event('ChannelCreated', { channel: each });
const up = (each: object) => event('ChannelStateChange', { channel: { ...each, state: 'Up' } });
const gone = (each: object) => event('ChannelDestroyed', { channel: each });
const dial = (caller: object | undefined, peer: object) => event('Dial', { caller, peer, dialstatus: '' });

const caller = channel('1.1', 'PJSIP/101-00000001', 'Ring', '102');
const called = channel('1.2', 'PJSIP/102-00000002', 'Down');

function play(...events: AriEvent[]): LiveCalls {
  const calls = new LiveCalls(numberAt, 10);
  for (const each of events) calls.take(each);
  return calls;
}

test('A call rings, is answered, and ends with its last leg', () => {
  const calls = play(created(caller), created(called), dial(caller, called));
  expect(calls.list()).toEqual([
    {
      callId: '1.1',
      direction: 'internal',
      from: '101',
      fromName: 'Ann',
      dialled: '102',
      answeredBy: '',
      extensions: [101, 102],
      startedAt: new Date(AT.replace('+0000', 'Z')),
      answeredAt: null,
    },
  ]);
  calls.take(up(called));
  expect(calls.list()[0]!.answeredAt).toBeNull();
  calls.take(up(caller));
  expect(calls.list()[0]).toMatchObject({ answeredAt: expect.any(Date), answeredBy: '102' });
  calls.take(gone(called));
  expect(calls.takeEnded()).toEqual([]);
  calls.take(gone(caller));
  expect(calls.takeEnded()).toEqual([expect.objectContaining({ callId: '1.1', answeredBy: '102' })]);
  expect([calls.list(), calls.takeEnded()]).toEqual([[], []]);
});

test('The legs of a group over Local channels are one call', () => {
  const one = channel('1.3', 'Local/103@partyline-leg-00000001;1', 'Down');
  const two = channel('1.4', 'Local/103@partyline-leg-00000001;2', 'Ring', '103');
  const phone = channel('1.5', 'PJSIP/103-00000003', 'Down');
  const calls = play(created(caller), created(one), created(two), dial(caller, one), created(phone), dial(two, phone));
  expect(calls.list()).toEqual([expect.objectContaining({ callId: '1.1', extensions: [101, 103] })]);
  for (const each of [up(phone), up(two), up(one), up(caller)]) calls.take(each);
  expect(calls.list()[0]!.answeredBy).toBe('103');
});

test('A transferred call goes on without the one who transferred it', () => {
  const third = channel('1.6', 'PJSIP/103-00000004', 'Down');
  const calls = play(created(caller), created(called), dial(caller, called), up(called), up(caller), gone(caller));
  for (const each of [created(third), dial(called, third), up(third)]) calls.take(each);
  expect(calls.list()).toEqual([expect.objectContaining({ callId: '1.1', extensions: [101, 102, 103] })]);
});

test('Calls with the outside have their direction, and those of nobody here are not shown', () => {
  const trunk = channel('2.1', 'PJSIP/trunk-00000005', 'Ring', '15551230100');
  const inbound = play(created(trunk), created(called), dial(trunk, called));
  expect(inbound.list()).toEqual([
    expect.objectContaining({ direction: 'inbound', from: '5551234', extensions: [102] }),
  ]);
  const out = channel('2.2', 'PJSIP/trunk-00000006', 'Down');
  expect(play(created(caller), created(out), dial(caller, out)).list()[0]!.direction).toBe('outbound');
  const other = channel('2.3', 'PJSIP/101@other.example.com-00000007', 'Ring');
  const through = play(created(other), created(out), dial(other, out), gone(other), gone(out));
  expect([through.list(), through.takeEnded()]).toEqual([[], []]);
});

test('A call that the PBX makes for a person is answered by the other side', () => {
  const own = channel('click', 'PJSIP/101-00000008', 'Down');
  const calls = play(created(own), dial(undefined, own), up(own), created(called), dial(own, called));
  expect(calls.list()[0]!.answeredAt).toBeNull();
  calls.take(up(called));
  expect(calls.list()[0]).toMatchObject({ callId: 'click', answeredBy: '102' });
});

test('Whoever begins to listen in the middle of a call knows it under the same name', () => {
  const calls = new LiveCalls(numberAt, 10);
  calls.add({ ...caller, state: 'Up' }, '1.1', new Date());
  calls.add({ ...called, state: 'Up' }, '1.1', new Date());
  expect(calls.list()).toEqual([expect.objectContaining({ callId: '1.1', extensions: [101, 102] })]);
  expect(calls.list()[0]!.answeredAt).not.toBeNull();
  const late = new LiveCalls(numberAt, 10);
  late.add({ ...called, state: 'Up' }, '1.1', new Date());
  expect(late.list()).toEqual([expect.objectContaining({ callId: '1.1', extensions: [102] })]);
});

test('No more calls are shown than allowed, and doubled or unknown events change nothing', () => {
  const calls = new LiveCalls(numberAt, 3);
  for (let index = 0; index < 10; index += 1) {
    const each = channel(`3.${index}`, `PJSIP/20${index}-0000000a`, 'Ring');
    for (const twice of [created(each), created(each)]) calls.take(twice);
  }
  calls.take(gone(channel('9.9', 'PJSIP/101-0000000b', 'Up')));
  expect(calls.list()).toHaveLength(3);
});

test.each([
  '',
  '[]',
  'null',
  '{"type":"ChannelCreated"}',
  '{"type":"ChannelCreated","channel":{"id":1,"name":"x","state":"y"}}',
  `{"type":"ChannelCreated","channel":{"id":"${'x'.repeat(200)}","name":"PJSIP/1-00000001","state":"Up"}}`,
  '{"type":"Dial","caller":{"id":"1","name":"x","state":"y"}}',
  '{"type":"DeviceStateChanged","device_state":{"name":"Local/1","state":"INUSE"}}',
  '{"type":"DeviceStateChanged"}',
  '{"type":"ChannelVarset"}',
])('What is no event of lines and calls is dropped: %s', (text) => {
  expect(readEvent(text)).toBeUndefined();
});

const live = (more: Partial<LiveCall> = {}): LiveCall => ({ ...play(created(caller)).list()[0]!, ...more });
const now = new Date('2026-11-19T09:00:00Z');
const told = (known: LiveCall[], seen: LiveCall[], ended: LiveCall[] = []) =>
  callNews({
    pbx: PBX,
    known: new Map(known.map((call) => [call.callId, call])),
    live: seen,
    ended: ended.map((call) => ({ ...call, endedAt: now })),
    now,
  });
const names = ({ events }: ReturnType<typeof callNews>) => events.map(({ name }) => name);

test('What is told of calls is what differs from what was told', () => {
  const answered = live({ answeredAt: now, answeredBy: '102' });
  expect(names(told([], [live()]))).toEqual(['call.started']);
  expect(names(told([live()], [live()]))).toEqual([]);
  expect(names(told([live()], [answered]))).toEqual(['call.answered']);
  expect(names(told([], [], [answered]))).toEqual(['call.started', 'call.answered', 'call.ended']);
  expect(told([answered], [])).toMatchObject({
    over: ['1.1'],
    events: [{ name: 'call.ended', payload: { was_answered: true, ended_at: now.toISOString() } }],
  });
});

test('No event names a number outside', () => {
  const { events } = told([], [live({ direction: 'inbound', from: '5551234' })]);
  expect(JSON.stringify(events)).not.toContain('5551234');
});

test('A line is told of when it changes, a registration when it changes', () => {
  const idle = lineOf('NOT_INUSE');
  const away = lineOf('UNAVAILABLE');
  const news = (before: [number, typeof idle][], after: [number, typeof idle][], isFirst = false) =>
    lineNews(new Map(before), new Map(after), { isFirst }).map(({ number, registration }) => [number, registration]);
  expect(news([], [[101, idle]], true)).toEqual([[101, undefined]]);
  expect(news([], [[101, idle]])).toEqual([[101, 'registered']]);
  expect(news([], [[101, away]])).toEqual([[101, undefined]]);
  expect(news([[101, idle]], [[101, idle]])).toEqual([]);
  expect(news([[101, idle]], [[101, away]])).toEqual([[101, 'unregistered']]);
  expect(news([[101, away]], [[101, lineOf('RINGING')]])).toEqual([[101, 'registered']]);
  expect(news([[101, idle]], [[101, lineOf('INUSE')]])).toEqual([[101, undefined]]);
});
