// Orders to a real Asterisk whose AMI may be used: what becomes of calls, and mailboxes.
import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { problem } from '../../api/telephony/people';
import { until } from '../../support/until';
import { openAmi, type AmiByHand } from '../../support/telephony/calls/ami-by-hand';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from './asterisk-stack';

const PATH = `/instances/${ASTERISK}/bulks/extensions`;

(hasPrograms(['asterisk']) ? describe : describe.skip)('Real Asterisk with its AMI', () => {
  let stack: AsteriskStack;
  let ami: AmiByHand;
  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    ami = await openAmi(stack.at);
  });
  afterEach(() => stack.proxy.decide());
  afterAll(() => stack.close());

  let next = 400;
  const order = (method: string, path = '', body?: object) => stack.people.owner(method, `${PATH}${path}`, body);
  const draft = (more: object = {}) => ({ data: { id: ++next, name: `Phone ${next}`, ...more } });
  const drift = async () => (await stack.people.owner('POST', `/instances/${ASTERISK}/drift`)).body;
  const settled = () =>
    until(
      () => stack.worker.mysql('tel_operations').whereIn('state', ['pending', 'running', 'undoing']).pluck('state'),
      (states: string[]) => states.length === 0,
    );
  const stored = async (number: number): Promise<Record<string, unknown> | undefined> => {
    const said = await ami.ask({ action: 'DBGet', Family: 'partyline', Key: `ext/main/${number}` });
    const [, text] = /^Val: (.*)$/m.exec(said) ?? [];
    return text === undefined ? undefined : (JSON.parse(text.trim()) as Record<string, unknown>);
  };
  const boxOf = async (number: number) =>
    /^Line-000000-000000: (.*)$/m
      .exec(await ami.ask({ action: 'GetConfig', Filename: `partyline/vm-main-${number}.conf` }))?.[1]
      ?.trim();
  const isLoaded = async (number: number) =>
    (await ami.ask({ action: 'VoicemailUserStatus', Context: 'partyline-main', Mailbox: String(number) })).includes(
      `VoiceMailbox: ${number}`,
    );

  test('An order writes what becomes of calls, a change changes it, and a deletion leaves nothing', async () => {
    const made = await order(
      'POST',
      '',
      draft({
        ringtimer: '7',
        callwaiting_enable: 'disabled',
        noanswer_dest: 'ext-local,vmu401,1',
        busy_dest: 'from-did-direct,102,1',
        busy_cid: 'B: "x", \\ y',
        outboundcid: '"Acme, Ltd" <+1 (555) 123-0100>',
        findmefollow_enabled: 'yes',
        findmefollow_grplist: '102-5551234567#',
        recording_in_external: 'force',
        voicemail: 'default',
        voicemail_vmpwd: '4711',
        voicemail_email: 'a@example.com,b@example.com',
        voicemail_options: 'attach=yes|saycid=yes',
      }),
    );
    expect(made).toMatchObject({ status: 201, body: { warnings: [] } });
    const { id, name } = made.body.data;
    expect(await stored(id)).toEqual({
      v: 1,
      op: expect.any(String),
      ring: 7,
      cw: '0',
      intercom: 1,
      noanswer: { dest: 'partyline-vm,u401,1' },
      busy: { dest: 'partyline-ext,102,1', cid: 'B: "x", \\ y' },
      ocid: { num: '+15551230100', name: 'Acme, Ltd' },
      fm: { on: 1, list: 'Local/102@partyline-leg/n&Local/5551234567@partyline-leg/n', time: 20, pre: 7 },
      rec: { inext: 100 },
      vm: 1,
    });
    expect(await boxOf(id)).toBe(`${id}=4711,${name},a@example.com|b@example.com,,attach=yes|saycid=yes`);
    expect(await isLoaded(id)).toBe(true);
    expect((await stack.pjsip('GET', `aor/${id}`)).attributes['mailboxes']).toBe(`${id}@partyline-main`);
    expect(await drift()).toMatchObject({ changed: [], missing: [], unknown: [], is_complete: true });
    const changed = await order('PATCH', `/${made.body._id}`, { data: { ringtimer: '9', voicemail: 'novm' } });
    expect(changed.status).toBe(200);
    expect(await stored(id)).toMatchObject({ ring: 9 });
    expect(await stored(id)).not.toHaveProperty('vm');
    expect(await isLoaded(id)).toBe(false);
    await ami.put(`state/main/${id}/dnd`, '1');
    expect((await order('DELETE', `/${made.body._id}`)).status).toBe(200);
    expect(await stored(id)).toBeUndefined();
    expect(await ami.ask({ action: 'DBGetTree', Family: 'partyline', Key: `state/main/${id}` })).toContain(
      'ListItems: 0',
    );
    expect(await drift()).toMatchObject({ unknown: [], leftover: [], is_complete: true });
  });

  test('A PIN that somebody has changed at the telephone is adopted, and stays until an order changes it', async () => {
    const made = (await order('POST', '', draft({ voicemail: 'default', voicemail_vmpwd: '4711' }))).body;
    const { id } = made.data;
    const line = (await boxOf(id))!.replace('4711', '1234').replace(/^\d+=/, '>');
    const file = `partyline/vm-main-${id}.conf`;
    await ami.ask({
      action: 'UpdateConfig',
      SrcFilename: 'partyline/vm-empty.conf',
      DstFilename: file,
      Reload: 'app_voicemail.so',
      'Action-000000': 'NewCat',
      'Cat-000000': 'partyline-main',
      'Action-000001': 'Append',
      'Cat-000001': 'partyline-main',
      'Var-000001': String(id),
      'Value-000001': line,
    });
    const pinIn = async () => (await order('GET', `/${made._id}`)).body.data.voicemail_vmpwd;
    await order('PATCH', `/${made._id}`, { data: { name: 'Renamed' } });
    expect(await boxOf(id)).toMatch(/^\d+=1234,Renamed,/);
    expect(await pinIn()).toBe('4711');
    expect(await drift()).toMatchObject({ changed: [], arrangements: { adopted: [`PIN of ${id}`] } });
    expect(await pinIn()).toBe('1234');
    expect(await drift()).toMatchObject({ changed: [], arrangements: { adopted: [] } });
    await order('PATCH', `/${made._id}`, { data: { voicemail_vmpwd: '9999' } });
    expect(await boxOf(id)).toMatch(/^\d+=9999,Renamed,/);
    expect(await drift()).toMatchObject({ arrangements: { adopted: [] } });
    expect(await pinIn()).toBe('9999');
  });

  test('The PIN of an order that failed is taken back, not adopted', async () => {
    const made = (await order('POST', '', draft({ voicemail: 'default', voicemail_vmpwd: '4711' }))).body;
    const { id } = made.data;
    let isWritten = false;
    stack.proxy.decide(({ object }) => {
      isWritten ||= object === 'ami/UpdateConfig';
      return isWritten && object.startsWith('endpoint') ? 'lose-request' : 'pass';
    });
    const failed = await order('PATCH', `/${made._id}`, { data: { voicemail_vmpwd: '9999' } });
    expect(failed).toMatchObject(problem(502));
    expect(await boxOf(id)).toMatch(/^\d+=9999,/);
    stack.proxy.decide();
    await settled();
    expect(await boxOf(id)).toMatch(/^\d+=4711,/);
    expect(await drift()).toMatchObject({ changed: [], arrangements: { adopted: [] } });
    expect((await order('GET', `/${made._id}`)).body.data.voicemail_vmpwd).toBe('4711');
  });

  test.each(['DBPut', 'UpdateConfig', 'DBDel'])('A lost answer to %s fails no order', async (action) => {
    let left = 1;
    const loseOne = () => {
      left = 1;
      stack.proxy.decide(({ object }) => (object === `ami/${action}` && left-- > 0 ? 'lose-answer' : 'pass'));
    };
    loseOne();
    const made = await order('POST', '', draft({ ringtimer: '3', voicemail: 'default' }));
    expect(made.status).toBe(201);
    loseOne();
    expect((await order('PATCH', `/${made.body._id}`, { data: { ringtimer: '4', name: 'Other' } })).status).toBe(200);
    expect(await stored(made.body.data.id)).toMatchObject({ ring: 4 });
    loseOne();
    expect((await order('DELETE', `/${made.body._id}`)).status).toBe(200);
    expect(await stored(made.body.data.id)).toBeUndefined();
  });

  test('An order that fails is undone, and what it had changed is as before', async () => {
    const body = draft({ ringtimer: '3', voicemail: 'default', allow: 'ulaw,nosuch' });
    expect(await order('POST', '', body)).toMatchObject(problem(502));
    await settled();
    expect(await stored(body.data.id)).toBeUndefined();
    expect(await isLoaded(body.data.id)).toBe(false);
    const made = (await order('POST', '', { data: { ...body.data, allow: '' } })).body;
    const failed = await order('PATCH', `/${made._id}`, { data: { ringtimer: '8', allow: 'nosuch' } });
    expect(failed).toMatchObject(problem(502));
    await settled();
    expect(await stored(body.data.id)).toMatchObject({ ring: 3 });
  });

  test('An Asterisk that only says that it has written the settings gets 502', async () => {
    stack.proxy.decide(({ object }) => (object === 'ami/DBPut' ? 'only-say-yes' : 'pass'));
    const refused = await order('POST', '', draft({ ringtimer: '3' }));
    expect(refused).toMatchObject(problem(502));
    expect(refused.body.detail).toContain('call_settings');
    stack.proxy.decide();
    await settled();
  });

  test('A comparison restores settings and mailboxes, and reports what nobody ordered', async () => {
    const made = (await order('POST', '', draft({ ringtimer: '5', voicemail: 'default' }))).body;
    const { id } = made.data;
    const spoil = async (write: () => Promise<unknown>) => {
      await write();
      expect(await drift()).toMatchObject({ changed: [id], repaired: [id], is_complete: true });
      expect(await stored(id)).toMatchObject({ ring: 5, vm: 1 });
      expect(await isLoaded(id)).toBe(true);
    };
    const append = (at: number, value: string) => ({
      [`Action-00000${at}`]: 'Append',
      [`Cat-00000${at}`]: 'partyline-main',
      [`Var-00000${at}`]: String(id),
      [`Value-00000${at}`]: value,
    });
    await spoil(() => ami.put(`ext/main/${id}`, { v: 1, ring: 6 }));
    await spoil(() => ami.put(`ext/main/${id}`, 'no JSON'));
    await spoil(() => ami.ask({ action: 'DBDel', Family: 'partyline', Key: `ext/main/${id}` }));
    await spoil(() =>
      ami.ask({
        action: 'UpdateConfig',
        SrcFilename: 'partyline/vm-empty.conf',
        DstFilename: `partyline/vm-main-${id}.conf`,
        Reload: 'app_voicemail.so',
      }),
    );
    const line = (pin: string) => `>${pin},${made.data.name},,,attach=no|saycid=no|envelope=no|delete=no`;
    await spoil(() =>
      ami.ask({
        action: 'UpdateConfig',
        SrcFilename: 'partyline/vm-empty.conf',
        DstFilename: `partyline/vm-main-${id}.conf`,
        Reload: 'app_voicemail.so',
        'Action-000000': 'NewCat',
        'Cat-000000': 'partyline-main',
        ...append(1, line('1111')),
        ...append(2, line('2222')),
      }),
    );
    expect(await boxOf(id)).toMatch(/^\d+=2222,/);
    await ami.put('ext/main/77', { v: 1 });
    expect(await drift()).toMatchObject({ unknown: [77], changed: [] });
    await ami.ask({ action: 'DBDel', Family: 'partyline', Key: 'ext/main/77' });
  });

  test('Values that the dial plan cannot carry out get 400 that names the field', async () => {
    for (const data of [
      { noanswer_dest: 'app-announcement-1,s,1' },
      { outboundcid: 'Acme' },
      { findmefollow_grplist: '101&PJSIP/102' },
      { voicemail_options: 'externpass=/bin/sh' },
    ]) {
      const refused = await order('POST', '', draft(data));
      expect(refused).toMatchObject(problem(400));
      expect(refused.body.detail).toContain(`data.${Object.keys(data)[0]}: `);
    }
    const long = Object.fromEntries(
      ['noanswer_cid', 'busy_cid', 'chanunavail_cid'].map((name) => [name, '日'.repeat(255)]),
    );
    const refused = await order(
      'POST',
      '',
      draft({
        ...long,
        findmefollow_grppre: '日'.repeat(255),
        findmefollow_enabled: 'yes',
        emergency_cid: '',
        outboundcid: `"${'日'.repeat(200)}" <1>`,
      }),
    );
    expect(refused).toMatchObject(problem(400));
    expect(refused.body.detail).toContain('3500');
  });

  test('The API says what becomes of each field', async () => {
    const { body } = await stack.people.owner('GET', `/instances/${ASTERISK}`);
    expect(body.supported_fields).toContain('ringtimer');
    expect(body.fields).toMatchObject({ ringtimer: 'carried', vmx_temp_enabled: 'stored only' });
  });
});
