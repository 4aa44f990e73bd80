// Ring groups, numbers from outside and forwards on a real Asterisk: orders, and calls of SIP phones that follow them.
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { changeInstance } from '../../../src/telephony/commands/sites/change-instances';
import { problem } from '../../api/telephony/people';
import { openAmi, trunkObjects, writeObjects, type AmiByHand } from '../../support/telephony/calls/ami-by-hand';
import { openCallPhone, type CallPhone, type Manner } from '../../support/telephony/calls/call-phone';
import { headerOf } from '../../support/telephony/calls/sip-digest';
import { until } from '../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from './asterisk-stack';

const PBX = `/instances/${ASTERISK}`;
const SECRET = 's3cret-of-phones';
const OUTSIDE = '+15551230100';

(hasPrograms(['asterisk']) ? describe : describe.skip)('Beside extensions on a real Asterisk', () => {
  let stack: AsteriskStack;
  let ami: AmiByHand;
  const phones = new Map<string, CallPhone>();
  const ids = new Map<string, string>();
  const at = (user: string): CallPhone => phones.get(user)!;
  const owner = (method: string, path: string, body?: object) => stack.people.owner(method, `${PBX}${path}`, body);

  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    ami = await openAmi(stack.at);
    for (const user of ['101', '102', '103']) {
      const data = { id: Number(user), name: `User ${user}`, secret: SECRET, ringtimer: '2', voicemail: 'default' };
      const made = await owner('POST', '/bulks/extensions', { data });
      expect(made.status).toBe(201);
      ids.set(user, made.body._id as string);
      phones.set(user, await openCallPhone({ port: stack.sipPort, user, secret: SECRET }));
      await at(user).register();
    }
    const trunk = await openCallPhone({ port: stack.sipPort, user: 'trunk', secret: SECRET });
    phones.set('trunk', trunk);
    await writeObjects(stack.at, 'trunk', trunkObjects('trunk', trunk.address));
  });
  beforeEach(() => {
    for (const phone of phones.values()) {
      phone.manner = 'answers';
      phone.incoming.length = 0;
    }
  });
  afterEach(() => stack.proxy.decide());
  afterAll(async () => {
    for (const phone of phones.values()) phone.close();
    await stack.close();
  });

  const manners = (all: Readonly<Record<string, Manner>>) => {
    for (const [user, manner] of Object.entries(all)) at(user).manner = manner;
  };
  const call = async (to: string, by = '101') => {
    const made = await at(by).finalOf(to);
    const rang = [...phones].flatMap(([user, { incoming }]) => incoming.map(({ end }) => `${user} ${end ?? 'rings'}`));
    if (made.status === 200) made.hangUp();
    await until(() => [...phones.values()].every(({ incoming }) => incoming.every((each) => each.end ?? each.isOver)));
    return { status: made.status, rang };
  };
  const stored = async (key: string): Promise<unknown> => {
    const said = await ami.ask({ action: 'DBGet', Family: 'partyline', Key: key });
    const [, text] = /^Val: (.*)$/m.exec(said) ?? [];
    return text === undefined ? undefined : JSON.parse(text.trim());
  };
  const drift = async () => (await owner('POST', '/drift')).body.arrangements;
  const settled = () =>
    until(
      () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state'),
      (states: string[]) => states.length === 0,
    );
  const forwardsOf = (user: string) => `/extensions/${ids.get(user)}/forwards`;

  test('A ring group rings its members, then its destination; changed and removed, the dial plan follows', async () => {
    const group = { number: 600, name: 'Sales', members: ['102', '103'], prefix: 'Sales:', ring_time: 2 };
    const made = await owner('POST', '/ring-groups', { ...group, no_answer: { type: 'busy' } });
    expect(made.status).toBe(201);
    expect(await stored('group/main/600')).toEqual({
      v: 1,
      op: expect.any(String),
      fm: {
        list: 'Local/102@partyline-leg/n&Local/103@partyline-leg/n',
        prefix: 'Sales:',
        strategy: 'ringall',
        time: 2,
      },
      noanswer: { dest: 'partyline-end,busy,1' },
    });
    manners({ '102': 'rings' });
    const both = await call('600');
    expect(both.status).toBe(200);
    expect(both.rang).toContain('103 answered');
    expect(at('102').incoming).toHaveLength(1);
    expect(headerOf(at('103').incoming[0]!.invite, 'From')).toMatch(/^"Sales:User 101" <sip:101@/);
    manners({ '102': 'rings', '103': 'rings' });
    expect((await call('600')).status).toBe(486);
    expect((await owner('PATCH', `/ring-groups/${made.body.id}`, { members: ['102'], strategy: 'hunt' })).status).toBe(
      200,
    );
    at('103').incoming.length = 0;
    manners({ '102': 'answers' });
    expect((await call('600')).status).toBe(200);
    expect(at('103').incoming).toHaveLength(0);
    expect(await drift()).toMatchObject({ missing: [], changed: [], unknown: [], leftover: [] });
    expect((await owner('DELETE', `/ring-groups/${made.body.id}`)).status).toBe(200);
    expect(await stored('group/main/600')).toBeUndefined();
  });

  test('A number from outside leads to an extension, to a ring group, to voicemail, and nowhere once it is removed', async () => {
    const group = await owner('POST', '/ring-groups', { number: 601, name: 'All', members: ['103'] });
    const made = await owner('POST', '/numbers', { number: OUTSIDE, destination: { type: 'extension', number: 102 } });
    expect(made.status).toBe(201);
    const lead = (destination: object) => owner('PATCH', `/numbers/${made.body.id}`, { destination });
    expect(await call('15551230100', 'trunk')).toEqual({ status: 200, rang: ['102 answered'] });
    at('102').incoming.length = 0;
    expect((await lead({ type: 'ring_group', number: 601 })).status).toBe(200);
    expect(await call('15551230100', 'trunk')).toEqual({ status: 200, rang: ['103 answered'] });
    at('103').incoming.length = 0;
    expect((await lead({ type: 'voicemail', number: 102 })).status).toBe(200);
    expect(await call('+15551230100', 'trunk')).toEqual({ status: 200, rang: [] });
    expect((await owner('DELETE', `/numbers/${made.body.id}`)).status).toBe(200);
    expect((await call('15551230100', 'trunk')).status).toBe(404);
    expect((await owner('DELETE', `/ring-groups/${group.body.id}`)).status).toBe(200);
  });

  test('Forwards and do not disturb are set by orders and by feature codes, and what the telephone sets is adopted', async () => {
    expect((await owner('PATCH', forwardsOf('102'), { always: '103' })).status).toBe(200);
    expect(await call('102')).toEqual({ status: 200, rang: ['103 answered'] });
    await call('*73', '102');
    await call('*78', '102');
    // To its mailbox.
    at('103').incoming.length = 0;
    expect(await call('102')).toEqual({ status: 200, rang: [] });
    expect((await drift()).adopted).toEqual(['forwards of 102']);
    expect((await owner('GET', forwardsOf('102'))).body).toMatchObject({
      always: null,
      do_not_disturb: true,
      source: 'pbx',
    });
    await call('*90103', '102');
    const changed = await owner('PATCH', forwardsOf('102'), { do_not_disturb: false });
    expect(changed.body).toMatchObject({ do_not_disturb: false, busy: '103', source: 'order' });
    manners({ '102': 'is busy' });
    at('103').incoming.length = 0;
    expect((await call('102')).rang).toContain('103 answered');
    await owner('PATCH', forwardsOf('102'), { busy: null, no_answer: '103' });
    manners({ '102': 'rings' });
    at('103').incoming.length = 0;
    expect((await call('102')).rang).toContain('103 answered');
    await owner('PATCH', forwardsOf('102'), { no_answer: null });
    expect((await drift()).adopted).toEqual([]);
  });

  test('An Asterisk that only says that it has written them gets 502, and a comparison restores what was lost', async () => {
    stack.proxy.decide(({ object }) => (object === 'ami/DBPut' ? 'only-say-yes' : 'pass'));
    const group = { number: 602, name: 'Lost', members: ['102'] };
    expect(await owner('POST', '/ring-groups', group)).toMatchObject(problem(502));
    expect(await owner('PATCH', forwardsOf('102'), { always: '103' })).toMatchObject(problem(502));
    stack.proxy.decide();
    await settled();
    expect((await owner('POST', '/ring-groups', group)).status).toBe(201);
    await ami.ask({ action: 'DBDel', Family: 'partyline', Key: 'group/main/602' });
    await ami.put('did/15551230199', { space: 'main', dest: 'partyline-ext,102,1' });
    await ami.put('did/15551230198', { space: 'other', dest: 'partyline-ext,102,1' });
    expect(await drift()).toMatchObject({
      missing: ['ring group 602'],
      repaired: ['ring group 602'],
      unknown: ['number +15551230199'],
    });
    expect(await stored('group/main/602')).toMatchObject({ fm: { list: 'Local/102@partyline-leg/n' } });
    const foreign = await owner('POST', '/numbers', { number: '+15551230198', destination: { type: 'busy' } });
    expect(foreign).toMatchObject(problem(400));
    expect(await stored('did/15551230198')).toMatchObject({ space: 'other' });
  });

  test('A click rings the own telephone, then the number; a repeated one and one of a telephone that is away do not', async () => {
    const click = (user: string, to: string, headers = {}) =>
      stack.people.owner('POST', `${PBX}/extensions/${ids.get(user)}/calls`, { to }, { headers });
    const once = { 'Idempotency-Key': 'one-click' };
    const begun = await click('102', '103', once);
    expect(begun).toMatchObject({ status: 201, body: { from: 102, to: '103' } });
    await until(() => at('103').incoming.some(({ end }) => end === 'answered'));
    expect(headerOf(at('102').incoming[0]!.invite, 'From')).toContain('<sip:103@');
    expect(headerOf(at('103').incoming[0]!.invite, 'From')).toContain('<sip:102@');
    expect((await click('102', '103', once)).body).toEqual(begun.body);
    expect(at('102').incoming).toHaveLength(1);
    expect((await click('102', OUTSIDE)).status).toBe(201);
    await until(() => at('trunk').incoming.some(({ end }) => end === 'answered'));
    expect(await click('102', '112')).toMatchObject(problem(400));
    const made = await owner('POST', '/bulks/extensions', { data: { id: 109, name: 'Away' } });
    ids.set('109', made.body._id as string);
    expect(await click('109', '103')).toMatchObject(problem(400));
    await ami.ask({ action: 'Command', Command: 'channel request hangup all' });
  });

  test('The emergency numbers of the instance are those of the dial plan', async () => {
    await changeInstance(stack.worker, ASTERISK, { details: { emergency: '112,5550112' } });
    await drift();
    const said = await ami.ask({ action: 'DBGet', Family: 'partyline', Key: 'emergency/main' });
    expect(said).toContain('Val: -112-5550112-');
    expect(await call('5550112')).toEqual({ status: 200, rang: ['trunk answered'] });
    expect((await owner('GET', '')).body.emergency_numbers).toEqual(['112', '5550112']);
  });
});
