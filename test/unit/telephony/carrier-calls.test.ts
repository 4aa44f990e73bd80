import { carrierNamed } from '../../../src/telephony/carriers/carriers';
import { CarrierNonsense, type CarrierNews, type KeptCall } from '../../../src/telephony/carriers/carrier';
import type { CarrierName } from '../../../src/telephony/model/texting/carrier-account';
import { CARRIER_APIS, REAL_CARRIERS } from '../../support/telephony/carrier-apis';

const AT = new Date('2026-11-15T12:00:00Z');
const SEND = '0123456789abcdef01234567';

const call = (body: unknown, url = 'https://example.com/w'): KeptCall => ({
  url,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  at: AT,
});
const read = (carrier: CarrierName, body: unknown, url?: string): CarrierNews[] =>
  carrierNamed(carrier).read(call(body, url));
const eventId = (carrier: CarrierName, body: unknown) => carrierNamed(carrier).eventId(call(body));
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('Telnyx (payloads from its documents)', () => {
  const payload = {
    record_type: 'message',
    direction: 'inbound',
    id: '7ee4241c-f127-47e5-9c34-3aac291f8058',
    type: 'SMS',
    messaging_profile_id: '0f512bda-ae1e-4597-8e11-e5f5686b97d3',
    from: { phone_number: '+18665550001', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' },
    to: [{ phone_number: '+18445550001', status: 'delivered', carrier: 'TELNYX LLC', line_type: 'VoIP' }],
    cc: [],
    text: 'Hello, World!',
    media: [{ url: 'https://media.telnyx.com/a.png', content_type: 'image/png', sha256: 'ab', size: 102_400 }],
    encoding: 'GSM-7',
    parts: 1,
    tags: ['Greetings'],
    errors: [],
    received_at: '2019-01-23T18:10:02.574Z',
  };
  const event = (type: string, more: object = {}) => ({
    data: {
      record_type: 'event',
      id: 'bf6307bd-884d-4c1f-b6ea-c62b8c495d3c',
      event_type: type,
      occurred_at: '2019-01-23T18:10:02.574Z',
      payload: { ...payload, ...more },
    },
    meta: { attempt: 1, delivered_to: 'https://www.example.com/hooks' },
  });

  test('A Telnyx call with a text and a picture is read', () => {
    expect(read('telnyx', event('message.received'))).toEqual([
      {
        kind: 'text',
        text: {
          carrierMessageId: '7ee4241c-f127-47e5-9c34-3aac291f8058',
          from: '+18665550001',
          to: '+18445550001',
          text: 'Hello, World!',
          media: [{ url: 'https://media.telnyx.com/a.png', contentType: 'image/png', size: 102_400 }],
          receivedAt: new Date('2019-01-23T18:10:02.574Z'),
        },
      },
    ]);
  });

  test.each([
    ['queued', 'sending'],
    ['sent', 'sent'],
    ['delivery_unconfirmed', 'sent'],
    ['delivered', 'delivered'],
    ['delivery_failed', 'failed'],
    ['sending_failed', 'failed'],
  ])('A Telnyx receipt that says %s means %s, and gives our own id back', (said, status) => {
    const to = [{ ...payload.to[0], status: said }];
    const errors = [{ code: '40008', title: 'Undeliverable', detail: 'The recipient cannot be reached' }];
    const failure = status === 'failed' ? { code: '40008', detail: 'The recipient cannot be reached' } : undefined;
    const more = { direction: 'outbound', to, tags: [SEND], errors: status === 'failed' ? errors : [] };
    expect(read('telnyx', event('message.finalized', more))).toMatchObject([
      { kind: 'receipt', sendId: SEND, receipt: { carrierMessageId: payload.id, status, segments: 1, error: failure } },
    ]);
  });

  test('Other Telnyx events are ignored, and an event keeps its id however often it is sent', () => {
    expect(read('telnyx', event('message.link_click'))).toEqual([]);
    const again = { ...event('message.received'), meta: { attempt: 2 } };
    expect(eventId('telnyx', again)).toBe(eventId('telnyx', event('message.received')));
  });
});

describe('Twilio (fields from its documents)', () => {
  const inbound = {
    ToCountry: 'US',
    MessageSid: 'SM1f0e8ae6ade43cb3c0ce4525424e404f',
    SmsSid: 'SM1f0e8ae6ade43cb3c0ce4525424e404f',
    AccountSid: 'ACXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
    SmsStatus: 'received',
    From: '+15017122661',
    To: '+15558675310',
    Body: 'Ahoy!  ümlaut & more',
    NumSegments: '1',
    NumMedia: '2',
    MediaUrl0: 'https://api.twilio.com/2010-04-01/Accounts/AC/Messages/MM/Media/ME1',
    MediaContentType0: 'image/jpeg',
    MediaUrl1: 'javascript:alert(1)',
    MediaContentType1: 'text/html',
    ApiVersion: '2010-04-01',
  };

  test('A Twilio call with a text and media is read, without media that have no web address', () => {
    expect(read('twilio', form(inbound))).toEqual([
      {
        kind: 'text',
        text: {
          carrierMessageId: inbound.MessageSid,
          from: '+15017122661',
          to: '+15558675310',
          text: 'Ahoy!  ümlaut & more',
          media: [{ url: inbound.MediaUrl0, contentType: 'image/jpeg', size: null }],
          receivedAt: AT,
        },
      },
    ]);
  });

  test.each([
    ['queued', 'sending'],
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['undelivered', 'failed'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('A Twilio receipt that says %s means %s, and its address gives our own id back', (said, status) => {
    const fields = {
      MessageSid: 'SM1',
      MessageStatus: said,
      SmsStatus: said,
      To: '+1',
      From: '+1',
      ErrorCode: '30003',
    };
    const error = status === 'failed' ? { code: '30003', detail: '' } : undefined;
    expect(read('twilio', form(fields), `https://example.com/w?send=${SEND}`)).toMatchObject([
      { kind: 'receipt', sendId: SEND, receipt: { carrierMessageId: 'SM1', status, error, at: AT } },
    ]);
  });

  test('The states of one Twilio text are different events', () => {
    const of = (MessageStatus: string) => eventId('twilio', form({ MessageSid: 'SM1', MessageStatus }));
    expect(of('sent')).not.toBe(of('delivered'));
    expect(of('sent')).toBe(of('sent'));
  });
});

describe('Bandwidth (payloads from its documents)', () => {
  const message = {
    id: '14762070468292kw2fuqty55yp2b2',
    time: '2016-09-14T18:20:16Z',
    to: ['+12345678902', '+12345678903'],
    from: '+12345678901',
    text: 'Hey, check this out!',
    applicationId: '93de2206-9669-4e07-948d-329f4b722ee2',
    media: ['https://messaging.bandwidth.com/api/v2/users/1/media/14762070468292kw2fuqty55yp2b2/0/bw.png'],
    owner: '+12345678902',
    direction: 'in',
    segmentCount: 1,
  };
  const event = { time: '2016-09-14T18:20:16Z', description: 'Incoming message received', to: '+12345678902', message };

  test('A Bandwidth call with a text and receipts is read', () => {
    const out = { ...message, direction: 'out', text: '', tag: SEND };
    const list = [
      { ...event, type: 'message-received' },
      { ...event, type: 'message-delivered', description: 'Message delivered to carrier.', message: out },
      { ...event, type: 'message-failed', description: 'rejected-spam-detected', errorCode: 4432, message: out },
      { ...event, type: 'message-read', message: out },
    ];
    const receipt = { carrierMessageId: message.id, segments: 1, at: new Date('2016-09-14T18:20:16Z') };
    expect(read('bandwidth', list)).toEqual([
      {
        kind: 'text',
        text: {
          carrierMessageId: message.id,
          from: '+12345678901',
          to: '+12345678902',
          text: 'Hey, check this out!',
          media: [{ url: message.media[0], contentType: 'application/octet-stream', size: null }],
          receivedAt: new Date('2016-09-14T18:20:16Z'),
        },
      },
      { kind: 'receipt', sendId: SEND, receipt: { ...receipt, status: 'delivered', error: undefined } },
      {
        kind: 'receipt',
        sendId: SEND,
        receipt: { ...receipt, status: 'failed', error: { code: '4432', detail: 'rejected-spam-detected' } },
      },
    ]);
  });

  test('A repeated Bandwidth call has the same event id, and another receipt has another', () => {
    const of = (type: string) => eventId('bandwidth', [{ ...event, type }]);
    expect(of('message-delivered')).toBe(of('message-delivered'));
    expect(of('message-delivered')).not.toBe(of('message-failed'));
  });
});

describe('Simulated carrier', () => {
  test('A simulated text and a simulated receipt are read', () => {
    const text = {
      id: 'in-1',
      from: '+15550109999',
      to: '+15550100001',
      text: 'hi',
      received_at: '2026-01-01T00:00:00Z',
    };
    const media = [
      'https://example.com/a.png',
      { url: 'https://example.com/b.gif', content_type: 'image/gif', size: 7 },
    ];
    expect(read('simulated', { ...text, media })).toMatchObject([
      {
        text: { carrierMessageId: 'in-1', text: 'hi', media: [{ size: null }, { contentType: 'image/gif', size: 7 }] },
      },
    ]);
    const receipt = {
      type: 'receipt',
      id: 'r-1',
      message_id: 'sim-1',
      status: 'failed',
      error: { code: 'x', detail: 'y' },
    };
    expect(read('simulated', receipt)).toMatchObject([
      { receipt: { carrierMessageId: 'sim-1', status: 'failed', error: { code: 'x', detail: 'y' }, at: AT } },
    ]);
  });
});

describe('Malformed calls', () => {
  test.each<[CarrierName, string]>([
    ['simulated', '{"id":"x"}'],
    ['simulated', 'no json'],
    ...REAL_CARRIERS.flatMap((name) => CARRIER_APIS[name].nonsense.map((body): [CarrierName, string] => [name, body])),
  ])('A malformed call of %s is refused as nonsense: %s', (carrier, body) => {
    expect(() => read(carrier, body)).toThrow(CarrierNonsense);
  });
});
