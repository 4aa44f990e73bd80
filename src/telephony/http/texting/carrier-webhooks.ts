/** Webhooks for carriers. The token in the path names an account, and a signature proves the sender. */
import { z } from 'zod';
import type { WireFormat } from '../../../kernel/http/wire-format';
import { openRoutes } from '../../../kernel/http/route';
import type { Kernel } from '../../../kernel/kernel';
import type { Mount } from '../../../kernel/product';
import { receiveCarrierCall } from '../../commands/texting/receive-carrier-call';
import type { Caller } from '../../model/contacts/contact';
import { noCarrierAccount, notGenuine } from '../../model/faults';
import type { CarrierCalls } from '../../parts';
import { busy } from '../refusals';
import { telephonyWireFormat } from '../wire-format';
import { NO_BODY } from '../../../kernel/http/answers';

const said = (description: string, type = 'string') => z.unknown().optional().meta({ type, description });

/** The simulated carrier's fields, for the OpenAPI document. Other carriers send what their documentation says. */
const SAID = {
  texting: {
    type: said('`text` (the default) or `receipt`'),
    id: said("The carrier's id of the text or receipt. Repeated calls with the same id count once."),
    from: said("Text: the sender's number, such as +15550109999"),
    to: said('Text: your number'),
    text: said('Text: its content'),
    media: said('Text: its attachments, each `{url, content_type, size}`', 'array'),
    received_at: said('Text: when it was received, ISO 8601'),
    message_id: said("Receipt: the carrier's id of your text"),
    status: said('Receipt: `sending`, `sent`, `delivered` or `failed`'),
    error: said('Receipt: `{code, detail}`', 'object'),
    at: said('Receipt: its time, ISO 8601'),
  },
  fax: {
    type: said('`fax` (the default) or `receipt`'),
    id: said("The carrier's id of the fax or receipt. Repeated calls with the same id count once."),
    from: said("Fax: the sender's number"),
    from_name: said("Fax: the sender's name"),
    to: said('Fax: your number'),
    to_name: said("Fax: the recipient's name"),
    subject: said('Fax: its subject'),
    pages: said('Fax: the number of pages', 'integer'),
    content: said('Fax: the document as `{name, content_type, base64}`', 'object'),
    media_url: said('Fax: the URL of the document, instead of content'),
    media_type: said('Fax: the media type of the document at media_url'),
    received_at: said('Fax: when it was received, ISO 8601'),
    message_id: said("Receipt: the carrier's id of your fax"),
    status: said('Receipt: `delivered` or `failed`'),
    error: said('Receipt: why the fax failed'),
  },
} as const;

const REFUSALS = [notGenuine('simulated'), noCarrierAccount(), busy()];

const TAKEN = { status: 204, body: undefined };

/** The body is parsed only after its signature was checked. A carrier needs only the status as answer. */
const webhookWireFormat: WireFormat<Caller> = {
  ...telephonyWireFormat,
  bodyTypes: ['application/json'],
  refusalsOf: () => REFUSALS,
  rawParams: ({ pathParams }) => ({ ...pathParams }),
  success: () => TAKEN,
};

function entryPoint(about: 'texting' | 'fax', telephony: CarrierCalls & Pick<Kernel, 'jobs'>) {
  const publicUrl = telephony.settings.publicUrl.replace(/\/+$/, '');
  return openRoutes.post(`/${about}/:carrier/:token`, {
    summary: `Report ${about === 'texting' ? 'texts and delivery receipts' : 'faxes'}; for carriers, whose calls are signed`,
    answer: NO_BODY,
    status: 204,
    rawBody: true,
    rawFields: SAID[about],
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

export const webhookMount = (telephony: CarrierCalls & Pick<Kernel, 'jobs'>): Mount => ({
  prefix: '/webhooks',
  wireFormat: webhookWireFormat,
  routes: [entryPoint('texting', telephony), entryPoint('fax', telephony)],
});
