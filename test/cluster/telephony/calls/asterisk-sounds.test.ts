// Recordings of calls and messages of mailboxes on a real Asterisk: who hears and deletes them.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hasPrograms } from '../../../../scripts/lib/test/test-programs';
import { productsOf } from '../../../../src/products';
import { forgetOldCalls } from '../../../../src/telephony/commands/calls/forget-calls';
import { startWorkersOf } from '../../../support/kernel/workers';
import { telephonyIn } from '../../../support/kernel/parts';
import { openCallPhone, type CallPhone } from '../../../support/telephony/calls/call-phone';
import { until } from '../../../support/until';
import { problem, type Person } from '../../../api/telephony/people';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from '../asterisk-stack';

(hasPrograms(['asterisk']) ? describe : describe.skip)('Sounds on a real Asterisk', () => {
  let stack: AsteriskStack;
  const phones: CallPhone[] = [];
  const ids = new Map<number, string>();
  const CALLS = `/instances/${ASTERISK}/calls`;
  const messagesOf = (number: number) => `/instances/${ASTERISK}/extensions/${ids.get(number)}/messages`;
  const trail = async (action: string) => (await stack.people.owner('GET', `/company/audit?action=${action}`)).body;

  async function open(id: number, more: object = {}): Promise<CallPhone> {
    const data = { id, name: `Phone ${id}`, qualifyfreq: '0', ...more };
    const body = { data, ...(id === 612 ? { user: stack.people.ids.member } : {}) };
    const made = await stack.people.owner('POST', `/instances/${ASTERISK}/bulks/extensions`, body);
    expect(made.status).toBe(201);
    ids.set(id, made.body._id);
    const phone = await openCallPhone({ port: stack.sipPort, user: id, secret: made.body.data.secret });
    phones.push(phone);
    await phone.register();
    return phone;
  }
  const rows = async (least: number) =>
    until(
      async () =>
        (await stack.people.owner('GET', CALLS)).body as { _id: string; has_recording: boolean; dialled: string }[],
      (found) => found.length >= least,
    );

  let phone611: CallPhone;
  let phone612: CallPhone;
  let phone613: CallPhone;
  beforeAll(async () => {
    stack = await openAsteriskStack('astdb', {});
    // As docs/CALLS.md says, before the first message.
    mkdirSync(join(stack.spool, 'recording/voicemail'), { recursive: true });
    symlinkSync('recording/voicemail', join(stack.spool, 'voicemail'));
    await startWorkersOf(stack.cluster, productsOf(stack.cluster.config()), ['pbx-listeners']);
    phone611 = await open(611, { recording_out_internal: 'force' });
    phone612 = await open(612, { ringtimer: '2', voicemail: 'default', voicemail_vmpwd: '4711' });
    phone613 = await open(613, { ringtimer: '1' });
    await until(
      async () => (await stack.people.owner('GET', '/calls/live')).body.unknown as string[],
      (unknown) => !unknown.includes(ASTERISK),
    );
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await stack.close();
  });

  const talk = async () => {
    const before = (await stack.people.owner('GET', CALLS)).body.length as number;
    phone612.manner = 'answers';
    const call = await phone611.finalOf('612');
    await call.speak(1500);
    call.hangUp();
    const [row] = await rows(before + 1);
    return row!;
  };

  test('A recording is heard in parts by those who may, deleted by the owner, and both are in the trail', async () => {
    const { _id: id, has_recording: isRecorded } = await talk();
    expect(isRecorded).toBe(true);
    const { owner, member, stranger } = stack.people;
    const path = `${CALLS}/${id}/recording`;
    const hear = (by: Person, range?: string) => by('GET', path, undefined, range ? { headers: { range } } : {});
    const whole = await hear(owner);
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
      200,
      'audio/wav',
      'bytes',
    ]);
    expect(whole.text.startsWith('RIFF')).toBe(true);
    const size = Number(whole.headers.get('content-length'));
    expect(size).toBeGreaterThan(8000);
    const part = await hear(owner, 'bytes=8-11');
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, 'WAVE', `bytes 8-11/${size}`]);
    expect((await hear(member)).status).toBe(200);
    expect(await hear(stranger)).toMatchObject(problem(404));
    expect(await trail('recording.hear')).toHaveLength(2);
    expect(await member('DELETE', path)).toMatchObject(problem(403));
    expect((await owner('DELETE', path)).status).toBe(200);
    expect(await hear(owner)).toMatchObject(problem(404));
    expect(await trail('recording.delete')).toMatchObject([{ object_id: id }]);
  });

  test('Nobody hears a call of others, and a call that nobody took leaves no recording', async () => {
    const before = (await rows(1)).length;
    expect((await phone611.finalOf('613')).status).toBe(480);
    const [missed] = await rows(before + 1);
    expect(missed).toMatchObject({ dialled: '613', has_recording: false });
    phone613.manner = 'answers';
    const call = await phone611.finalOf('613');
    await call.speak(500);
    call.hangUp();
    const [row] = await rows(before + 2);
    expect(row!.has_recording).toBe(true);
    expect(await stack.people.member('GET', `${CALLS}/${row!._id}/recording`)).toMatchObject(problem(404));
    const stored = await fetch(`${stack.at.url}/ari/recordings/stored`, {
      headers: { authorization: `Basic ${Buffer.from(`partyline:${stack.at.password}`).toString('base64')}` },
    });
    expect(((await stored.json()) as object[]).length).toBe(1);
  });

  test('Old recordings are deleted on the PBX, then old calls', async () => {
    const { _id: id } = await talk();
    await stack.people.owner('PATCH', '/calls/retention', { keep_days: 30, keep_recordings_days: 7 });
    const age = (days: number) =>
      stack.worker
        .mysql('tel_calls')
        .where({ id })
        .update({ started_at: new Date(Date.now() - days * 86_400_000) });
    const forget = () => forgetOldCalls(telephonyIn(stack.node));
    await age(10);
    await forget();
    expect((await stack.people.owner('GET', `${CALLS}/${id}`)).body).toMatchObject({ has_recording: false });
    await age(40);
    await forget();
    expect(await stack.people.owner('GET', `${CALLS}/${id}`)).toMatchObject(problem(404));
  });

  test('Messages are listed, heard and deleted by the owner and the user of the extension', async () => {
    phone612.manner = 'rings';
    const { owner, member, stranger } = stack.people;
    const call = await phone611.finalOf('612');
    await call.speak(3000);
    call.hangUp();
    const list = () => member('GET', messagesOf(612));
    const { body } = await until(list, (answer) => answer.body.length === 1);
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^\d+-\w+$/),
        folder: 'INBOX',
        is_new: true,
        from: '611',
        from_name: 'Phone 611',
        at: expect.any(String),
        seconds: expect.any(Number),
      },
    ]);
    const one = `${messagesOf(612)}/${body[0].id}`;
    const heard = await member('GET', `${one}/content`, undefined, { headers: { range: 'bytes=0-3' } });
    expect([heard.status, heard.text]).toEqual([206, 'RIFF']);
    expect((await owner('GET', `${one}/content`)).status).toBe(200);
    expect(await stranger('GET', messagesOf(612))).toMatchObject(problem(404));
    expect(await member('GET', messagesOf(611))).toMatchObject(problem(403));
    expect(await member('GET', `${messagesOf(612)}/1-2/content`)).toMatchObject(problem(404));
    expect(await trail('message.hear')).toHaveLength(2);
    expect((await member('DELETE', one)).status).toBe(200);
    expect((await list()).body).toEqual([]);
    expect(await member('DELETE', one)).toMatchObject(problem(404));
    expect(await trail('message.delete')).toMatchObject([{ object_id: body[0].id, detail: { number: 612 } }]);
  });
});
