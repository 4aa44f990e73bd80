import { csvLine } from '../../../../src/telephony/model/calls/call';
import { isCall, isRecording, partiesOf, readRecord } from '../../../../src/telephony/model/calls/call-record';
import type { CompanyId } from '../../../../src/telephony/model/companies/company';

const written = (more: object = {}) =>
  JSON.stringify({
    linkedid: '1794979400.7',
    kind: 'internal',
    from: '101',
    name64: Buffer.from('Ann "A", <b>').toString('base64'),
    dialled: '102',
    to: '102',
    start: 1_794_979_400,
    end: 1_794_979_420,
    answered: '12',
    status: 'ANSWER',
    voicemail: '',
    cause: '16',
    rec: '',
    out: '',
    peer: 'PJSIP/102',
    ...more,
  });
const read = (more: object = {}) => readRecord('1794979400.7', written(more))!;

test('A record becomes a call', () => {
  expect(read()).toEqual({
    callId: '1794979400.7',
    linkedId: '1794979400.7',
    startedAt: new Date(1_794_979_400_000),
    endedAt: new Date(1_794_979_420_000),
    direction: 'internal',
    from: '101',
    fromName: 'Ann "A", <b>',
    dialled: '102',
    to: '102',
    answeredBy: '102',
    outcome: 'answered',
    talkSeconds: 12,
    cause: 16,
    recording: null,
  });
});

test.each([
  [{ kind: 'inbound' }, 'inbound'],
  [{ kind: 'emergency', out: '1' }, 'emergency'],
  [{ out: '1' }, 'outbound'],
  [{}, 'internal'],
])('The direction of %j is %s', (more, direction) => {
  expect(read(more).direction).toBe(direction);
});

test.each([
  [{}, 'answered'],
  [{ status: 'NOANSWER', voicemail: 'SUCCESS' }, 'voicemail'],
  [{ status: 'BUSY' }, 'busy'],
  [{ status: '', cause: '17' }, 'busy'],
  [{ status: 'NOANSWER' }, 'unanswered'],
  [{ status: 'CANCEL' }, 'cancelled'],
  [{ status: 'CHANUNAVAIL' }, 'failed'],
  [{ status: '' }, 'failed'],
])('The outcome of %j is %s', (more, outcome) => {
  const { talkSeconds, answeredBy, ...call } = read(more);
  expect(call.outcome).toBe(outcome);
  expect([talkSeconds > 0, answeredBy !== '']).toEqual([outcome === 'answered', outcome === 'answered']);
});

test.each([
  ['PJSIP/102', '102'],
  ['PJSIP/102@acme.example.com', '102'],
  ['Local/5551234567@partyline', '5551234567'],
  ['PJSIP/trunk', ''],
  ['', ''],
])('%s was answered by "%s"', (peer, number) => {
  expect(read({ peer }).answeredBy).toBe(number);
});

test.each(['', 'no JSON', '[]', 'null', '{}', written({ start: 0 }), written({ start: 1e15 }), written({ start: {} })])(
  'What makes no sense is no call: %s',
  (text) => {
    expect(readRecord('1794979400.7', text)).toBeUndefined();
  },
);

test('Nothing in a record is longer than its column, or leads elsewhere', () => {
  const call = read({
    from: '1'.repeat(500),
    dialled: 'x&PJSIP/5<script>',
    name64: Buffer.from(`\u0000\n${'日'.repeat(500)}`).toString('base64'),
    end: 1,
    answered: '99999999999999',
    cause: '70000',
    linkedid: '日',
  });
  expect(call).toMatchObject({
    dialled: '5',
    cause: null,
    linkedId: call.callId,
    endedAt: call.startedAt,
    talkSeconds: 1,
  });
  expect([call.from.length, Array.from(call.fromName).length]).toEqual([40, 80]);
  expect(readRecord('x'.repeat(151), written())).toBeUndefined();
  expect(readRecord('a b', written())).toBeUndefined();
});

test.each([
  ['partyline/main/20261119/1794979400.7', true],
  ['partyline/main/20261119/../../../etc/passwd', false],
  ['voicemail/partyline-main/101/INBOX/msg0000', false],
  ['partyline/main/20261119/a/b', false],
  ['', false],
])('%s is a recording of the dial plan: %s', (name, isOurs) => {
  expect(isRecording(name)).toBe(isOurs);
  expect(read({ rec: name }).recording).toBe(isOurs ? name : null);
});

test('Feature codes are no calls, intercom is one', () => {
  const calls = ['102', '+15551234567', '*80102', '*97', '*98', '*78', '*72102', ''].filter((dialled) =>
    isCall({ dialled }),
  );
  expect(calls).toEqual(['102', '+15551234567', '*80102', '']);
});

test('Each number of a call is named once', () => {
  expect(partiesOf(read({ dialled: '600', to: '600', peer: 'Local/104@partyline' }))).toEqual(['101', '600', '104']);
});

test('A line of CSV keeps its columns whatever a caller is called, and runs nothing', () => {
  const call = { ...read(), id: 'a'.repeat(24), companyId: 'c' as CompanyId, pbx: 'p' };
  const cells = (fromName: string) =>
    csvLine({ ...call, fromName })
      .split('internal,101,')[1]!
      .split(',102,102')[0];
  expect(cells('Ann "A", b')).toBe('"Ann ""A"", b"');
  expect(cells('=cmd|calc')).toBe("'=cmd|calc");
  expect(cells('@x')).toBe("'@x");
});
