/** Webhooks for carriers. The token in the path names an account, and a signature proves the sender. */
import { z } from 'zod';
import { Fault } from '../../../kernel/fault';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { openRoutes } from '../../../kernel/http/route';
import type { Mount } from '../../../kernel/product';
import { receiveCarrierCall } from '../../commands/texting/receive-carrier-call';
import type { Caller } from '../../model/contacts/contact';
import { noCarrierAccount, notGenuine } from '../../model/faults';
import type { Telephony } from '../../parts';
import { telephonyWireFormat } from '../wire-format';
import { NO_BODY } from '../../../kernel/http/answers';

const said = (description: string) => z.unknown().optional().meta({ type: 'string', description });

/** The simulated carrier's fields, for the OpenAPI document. Other carriers send what their documentation says. */
const SAID = {
  texting: {
    type: said('`text` (so if not given), or `receipt`'),
    id: said('its name for the text or the receipt; told again under the same, it counts once'),
    from: said('of a text: who sent it, such as +15550109999'),
    to: said('of a text: your number'),
    text: said('of a text'),
    media: z.unknown().optional().meta({ type: 'array', description: 'of a text: `{url, content_type, size}` each' }),
    received_at: said('of a text: ISO 8601'),
    message_id: said('of a receipt: the name that the carrier gave your text'),
    status: said('of a receipt: `sending`, `sent`, `delivered` or `failed`'),
    error: z.unknown().optional().meta({ type: 'object', description: 'of a receipt: `{code, detail}`' }),
    at: said('of a receipt: ISO 8601'),
  },
  fax: {
    type: said('`fax` (so if not given), or `receipt`'),
    id: said('its name for the fax or the receipt; told again under the same, it counts once'),
    from: said('of a fax: who sent it'),
    from_name: said('of a fax'),
    to: said('of a fax: your number'),
    to_name: said('of a fax'),
    subject: said('of a fax'),
    pages: z.unknown().optional().meta({ type: 'integer', description: 'of a fax: how many' }),
    content: z
      .unknown()
      .optional()
      .meta({ type: 'object', description: 'of a fax: `{name, content_type, base64}`, its bytes' }),
    media_url: said('of a fax: or where they are'),
    media_type: said('of a fax: and what they are'),
    received_at: said('of a fax: ISO 8601'),
    message_id: said('of a receipt: the name that the carrier gave your fax'),
    status: said('of a receipt: `delivered` or `failed`'),
    error: said('of a receipt'),
  },
} as const;

const REFUSALS = [
  notGenuine('simulated'),
  noCarrierAccount(),
  new Fault('unavailable', 'The server is busy or restarting; try again'),
];

const TAKEN = { status: 204, body: undefined };

/** The body is parsed only after its signature was checked. A carrier needs only the status as answer. */
const webhookWireFormat: WireFormat<Caller> = {
  ...telephonyWireFormat,
  bodyTypes: ['application/json'],
  refusalsOf: () => REFUSALS,
  rawParams: ({ pathParams }) => ({ ...pathParams }),
  success: () => TAKEN,
};

function entryPoint(about: 'texting' | 'fax', telephony: Telephony) {
  const publicUrl = telephony.settings.publicUrl.replace(/\/+$/, '');
  return openRoutes.post(`/${about}/:carrier/:token`, {
    summary: `Tell of ${about === 'texting' ? 'texts and what became of them' : 'faxes'}; for carriers, who sign it`,
    answer: NO_BODY,
    status: 204,
    rawBody: true,
    rawFields: SAID[about],
    params: { carrier: z.string(), token: z.string() },
    run: ({ params: { carrier, token }, incoming }) =>
      receiveCarrierCall(telephony, {
        carrier,
        token,
        from: incoming.ip,
        about,
        // The public URL, because a proxy may change Host and the carrier signs the URL that it was given.
        url: `${publicUrl}${incoming.path}${incoming.search}`,
        body: String(incoming.body),
        header: (name) => incoming.header(name),
      }),
  });
}

export const webhookMount = (telephony: Telephony): Mount => ({
  prefix: '/webhooks',
  wireFormat: webhookWireFormat,
  routes: [entryPoint('texting', telephony), entryPoint('fax', telephony)],
});
