// Calls of SIP phones through the dial plan that ships with the product, with settings that are written by hand.
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { startAsterisk } from '../../support/telephony/asterisk/asterisk';
import { ownDirectory } from '../../support/servers/services';
import { until } from '../../support/until';
import {
  openAmi,
  phoneObjects,
  trunkObjects,
  writeObjects,
  type AmiByHand,
} from '../../support/telephony/calls/ami-by-hand';
import { openCallPhone, type CallPhone, type Manner } from '../../support/telephony/calls/call-phone';
import { headerOf } from '../../support/telephony/calls/sip-digest';

const SECRET = 's3cret-of-phones';
const LIST = 'Local/103@partyline-leg/n&Local/104@partyline-leg/n';
const OUTSIDE = '15551230100';

(hasPrograms(['asterisk']) ? describe : describe.skip)('The dial plan on a real Asterisk', () => {
  const folder = ownDirectory();
  let asterisk: Awaited<ReturnType<typeof startAsterisk>>;
  let ami: AmiByHand;
  const phones = new Map<string, CallPhone>();
  const at = (user: string): CallPhone => phones.get(user)!;

  beforeAll(async () => {
    asterisk = await startAsterisk({ dir: folder.path, calls: {} });
    ami = await openAmi(asterisk);
    for (const user of ['101', '102', '103', '104', 'trunk']) {
      const phone = await openCallPhone({ port: asterisk.sipPort, user, secret: SECRET });
      phones.set(user, phone);
      const isTrunk = user === 'trunk';
      await writeObjects(asterisk, user, isTrunk ? trunkObjects(user, phone.address) : phoneObjects(user, SECRET));
      if (!isTrunk) await phone.register();
    }
  });
  beforeEach(async () => {
    for (const key of ['ext', 'state', 'did', 'emergency']) {
      await ami.ask({ action: 'DBDelTree', Family: 'partyline', Key: key });
    }
    for (const phone of phones.values()) {
      phone.manner = 'answers';
      phone.incoming.length = 0;
    }
  });
  afterAll(async () => {
    for (const phone of phones.values()) phone.close();
    await asterisk.stop();
    folder.remove();
  });

  const settings = (number: string, value: object) => ami.put(`ext/main/${number}`, value);
  const manners = (all: Readonly<Record<string, Manner>>) => {
    for (const [user, manner] of Object.entries(all)) at(user).manner = manner;
  };
  /** The final response, what each called phone did, and whom it saw calling. */
  const call = async (to: string, by = '101') => {
    const made = await at(by).finalOf(to);
    const rang = [...phones].flatMap(([user, { incoming }]) => incoming.map(({ end }) => `${user} ${end ?? 'rings'}`));
    const from = [...phones.values()].flatMap(({ incoming }) =>
      incoming.map(({ invite }) => headerOf(invite, 'From').replace(/;tag=.*$/, '')),
    );
    if (made.status === 200) made.hangUp();
    await until(() => [...phones.values()].every(({ incoming }) => incoming.every((each) => each.end ?? each.isOver)));
    return { status: made.status, rang, from };
  };

  test('An extension without settings is called as anywhere, and an unknown number is refused', async () => {
    expect(await call('102')).toMatchObject({ status: 200, rang: ['102 answered'] });
    await ami.put('ext/main/102', 'not { JSON');
    expect(await call('102')).toMatchObject({ status: 200 });
  });

  test('The ring time ends a call that nobody takes', async () => {
    manners({ '102': 'rings' });
    await settings('102', { ring: 1 });
    const { status } = await call('102');
    expect(status).toBe(480);
    const [rang] = at('102').incoming;
    expect(rang!.end).toBe('called off');
    expect(rang!.endedAt! - rang!.ringingAt).toBeGreaterThan(900);
  });

  test('A busy extension, one that nobody answers and one without a phone each have a destination and a prefix', async () => {
    manners({ '102': 'is busy' });
    await settings('102', {
      ring: 1,
      busy: { dest: 'partyline-ext,103,1', cid: 'B:' },
      noanswer: { dest: 'partyline-ext,104,1', cid: 'N:' },
    });
    expect(await call('102')).toMatchObject({ status: 200, rang: ['102 refused', '103 answered'] });
    expect(headerOf(at('103').incoming[0]!.invite, 'From')).toMatch(/^"B:User 101" <sip:101@/);
    manners({ '102': 'rings' });
    await call('102');
    expect(headerOf(at('104').incoming[0]!.invite, 'From')).toMatch(/^"N:User 101" <sip:101@/);
    await settings('109', { unavail: { dest: 'partyline-end,busy,1' } });
    expect((await call('109')).status).toBe(486);
    await settings('109', {});
    expect((await call('109')).status).toBe(480);
  });

  test('Follow-me rings the extension, then the list together or one after the other', async () => {
    manners({ '102': 'rings', '104': 'rings' });
    const fm = { on: 1, list: LIST, time: 5, pre: 1, prefix: 'FM:' };
    await settings('102', { fm });
    expect(await call('102')).toMatchObject({ status: 200 });
    expect(at('102').incoming[0]!.end).toBe('called off');
    expect(headerOf(at('103').incoming[0]!.invite, 'From')).toMatch(/^"FM:User 101"/);
    manners({ '103': 'rings', '104': 'answers' });
    await settings('102', { fm: { ...fm, pre: 0, time: 1, strategy: 'hunt' } });
    at('103').incoming.length = 0;
    expect(await call('102')).toMatchObject({ status: 200 });
    const [third] = at('103').incoming;
    const [fourth] = at('104').incoming.slice(-1);
    expect(fourth!.ringingAt - third!.ringingAt).toBeGreaterThan(900);
  });

  test('Who must confirm a call of follow-me gets it by pressing 1, and the caller hears it ring until then', async () => {
    manners({ '102': 'rings', '103': 'rings' });
    await settings('102', { fm: { on: 1, list: LIST, time: 60, confirm: 1 } });
    const caller = at('101').call('102');
    const [fourth] = await until(
      () => at('104').incoming,
      ([first]) => first?.end === 'answered',
    );
    await at('104').listen();
    expect(caller.status).toBe(180);
    expect(at('103').incoming[0]!.end).toBeUndefined();
    await fourth!.press('1');
    await until(
      () => caller.status,
      (status) => status === 200,
    );
    await until(() => at('103').incoming[0]!.end === 'called off');
    caller.hangUp();
    await until(() => fourth!.isOver);
  });

  test('Who presses another key does not get the call', async () => {
    manners({ '102': 'rings' });
    await settings('102', { fm: { on: 1, list: 'Local/104@partyline-leg/n', time: 60, confirm: 1 } });
    const caller = at('101').call('102');
    const [fourth] = await until(
      () => at('104').incoming,
      ([first]) => first?.end === 'answered',
    );
    await at('104').listen();
    await fourth!.press('2');
    await until(() => fourth!.isOver);
    await until(
      () => caller.status,
      (status) => status >= 300,
    );
  });

  test('Feature codes set and end do-not-disturb and forwards, and a circle of forwards ends', async () => {
    expect((await call('*78', '102')).status).toBe(200);
    expect((await call('102')).status).toBe(486);
    await call('*79', '102');
    expect((await call('102')).status).toBe(200);
    await call('*72103', '102');
    at('103').incoming.length = 0;
    expect(await call('102')).toMatchObject({ status: 200 });
    expect(at('103').incoming).toHaveLength(1);
    await call('*72102', '103');
    expect((await call('102')).status).toBeGreaterThanOrEqual(480);
    await call('*73', '103');
    await call('*73', '102');
    manners({ '102': 'is busy' });
    await call('*90104', '102');
    expect((await call('102')).status).toBe(200);
    await call('*91', '102');
    expect((await call('102')).status).toBe(486);
  });

  test('Intercom makes the phone answer by itself, unless the extension does not want it', async () => {
    await settings('102', { intercom: 1 });
    expect((await call('*80102')).status).toBe(200);
    const { invite } = at('102').incoming[0]!;
    expect(headerOf(invite, 'Alert-Info')).toContain('alert-autoanswer');
    expect(headerOf(invite, 'Call-Info')).toContain('answer-after=0');
    await settings('102', {});
    expect((await call('*80102')).status).toBe(403);
    await settings('102', { auto: 1 });
    at('102').incoming.length = 0;
    await call('102');
    expect(headerOf(at('102').incoming[0]!.invite, 'Alert-Info')).toContain('alert-autoanswer');
  });

  test('A second call is refused without call waiting, and above the limit', async () => {
    const busyWith = async (value: object) => {
      await settings('102', value);
      const first = await at('103').finalOf('102');
      expect(first.status).toBe(200);
      const { status } = await call('102');
      first.hangUp();
      await until(() => at('102').incoming.every(({ isOver, end }) => end !== 'answered' || isOver));
      return status;
    };
    expect(await busyWith({})).toBe(200);
    expect(await busyWith({ cw: 0 })).toBe(486);
    expect(await busyWith({ limit: 1 })).toBe(486);
    expect(await busyWith({ limit: 2 })).toBe(200);
  });

  test('A call outside shows the number that the extension has for it, another one in an emergency', async () => {
    const ocid = { num: OUTSIDE, name: 'Acme "quoted", Ltd; <x>' };
    await settings('101', { ocid, ecid: { num: '15551230999', name: '' } });
    expect((await call('5550000')).from).toEqual([expect.stringContaining(`<sip:${OUTSIDE}@`)]);
    expect(headerOf(at('trunk').incoming[0]!.invite, 'From')).toContain('Acme');
    at('trunk').incoming.length = 0;
    expect((await call('911')).from).toEqual([expect.stringContaining('<sip:15551230999@')]);
    at('trunk').incoming.length = 0;
    await ami.put('emergency/main', '-104-');
    expect((await call('104')).rang).toEqual(['trunk answered']);
    at('trunk').incoming.length = 0;
    expect((await call('911')).from).toEqual([expect.stringContaining(`<sip:${OUTSIDE}@`)]);
  });

  test('Within the company another number can be shown, which does not go outside', async () => {
    await settings('101', { shown: '199' });
    expect((await call('102')).from).toEqual([expect.stringContaining('<sip:199@')]);
    expect((await call('5550000')).from.at(-1)).toContain('<sip:101@');
  });

  test('A call from outside goes to the destination of its number, and no other number can be called', async () => {
    await ami.put(`did/${OUTSIDE}`, { space: 'main', dest: 'partyline-ext,103,1' });
    for (const dialled of [OUTSIDE, `+${OUTSIDE}`]) {
      expect((await call(dialled, 'trunk')).status).toBe(200);
    }
    expect(at('103').incoming).toHaveLength(2);
    expect((await call('102', 'trunk')).status).toBe(404);
  });

  test('What is no number reaches no phone', async () => {
    for (const dialled of ['1&PJSIP%2f104', '10%244', '1%7d', '102%22']) {
      expect(await call(dialled)).toMatchObject({ status: 484, rang: [] });
    }
  });
});
