/** The APIs of the real carriers as tests simulate them, in the formats of their documentation. */
import { carrierNamed } from '../../../src/telephony/carriers/carriers';
import type { CarrierName, Credentials } from '../../../src/telephony/model/texting/carrier-account';

export type RealCarrier = Exclude<CarrierName, 'simulated'>;

/** The fields of a form, or of JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type Fields = any;

export interface CarrierApi {
  /** Whether texts are sent to this path. */
  isAt(path: string): boolean;
  textOf(fields: Fields): { readonly to: string; readonly text: string };
  /** The status and body of the response to a text that is accepted under this id. */
  taken(fields: Fields, id: string): [status: number, body: unknown];
  /** A text that it refuses permanently, and the resulting error of the server. */
  readonly refusal: {
    readonly status: number;
    readonly body: unknown;
    readonly code: string;
    readonly message: string;
  };
  /** Webhook calls that do not match its documentation. */
  readonly nonsense: readonly string[];
}

const telnyx: CarrierApi = {
  isAt: (path) => path === '/v2/messages',
  textOf: ({ to, text }) => ({ to, text }),
  taken(fields, id) {
    const to = [{ phone_number: fields.to, status: 'queued', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' }];
    const from = { phone_number: fields.from, carrier: 'TELNYX LLC', line_type: 'VoIP' };
    const more = { direction: 'outbound', type: 'SMS', from, to, text: fields.text, parts: 1, tags: fields.tags };
    return [200, { data: { record_type: 'message', id, ...more, errors: [] } }];
  },
  refusal: {
    status: 422,
    body: {
      errors: [{ code: '40310', title: "Invalid 'to' address", detail: "The 'to' address should be a string" }],
    },
    code: '40310',
    message: "The 'to' address should be a string",
  },
  nonsense: ['[]', '{"data":{"id":"x","event_type":"message.received","payload":{}}}'],
};

const twilio: CarrierApi = {
  isAt: (path) => path.startsWith('/2010-04-01/'),
  textOf: ({ To: to, Body: text }) => ({ to, text }),
  taken(fields, id) {
    const more = { body: fields.Body, to: fields.To, from: fields.From, direction: 'outbound-api', error_code: null };
    return [201, { sid: id, status: 'queued', num_segments: '1', num_media: '0', ...more, error_message: null }];
  },
  refusal: {
    status: 400,
    body: { code: 21_610, message: 'Attempt to send to unsubscribed recipient', more_info: 'https://…', status: 400 },
    code: '21610',
    message: 'Attempt to send to unsubscribed recipient',
  },
  nonsense: ['From=%2B1', 'MessageSid=SM1&SmsStatus=received'],
};

const bandwidth: CarrierApi = {
  isAt: (path) => path.startsWith('/api/v2/'),
  textOf: ({ to: [to], text }) => ({ to, text }),
  taken({ applicationId, to, from, text, tag }, id) {
    const time = '2016-09-14T18:20:16Z';
    const more = { owner: from, applicationId, time, segmentCount: 1, direction: 'out', to, from, text, tag };
    return [202, { id, ...more }];
  },
  refusal: {
    status: 400,
    body: { type: 'request-validation', description: 'Your request could not be accepted' },
    code: 'request-validation',
    message: 'Your request could not be accepted',
  },
  nonsense: ['{}', '[]', `${'['.repeat(100)}${']'.repeat(100)}`],
};

export const CARRIER_APIS: Readonly<Record<RealCarrier, CarrierApi>> = { telnyx, twilio, bandwidth };

export const REAL_CARRIERS = Object.keys(CARRIER_APIS) as RealCarrier[];

/** An account has the fields that its carrier needs; no test carrier checks the values. */
export const credentialsFor = (name: CarrierName): Credentials =>
  Object.fromEntries(carrierNamed(name).needs.map((need) => [need, 'hush']));
