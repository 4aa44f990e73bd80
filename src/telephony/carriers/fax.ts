/** Carriers of faxes. Only the simulated one exists: it accepts every fax and later reports it as delivered. */
import { z } from 'zod';
import type { Fax, InboundFax } from '../model/files/fax';
import type { CarrierName } from '../model/texting/carrier-account';
import type { KeptCall, Sent } from './carrier';
import { mediaOf, messageId, readJson, timeOf } from './payload';

export type FaxNews =
  | { readonly kind: 'fax'; readonly fax: InboundFax }
  | {
      readonly kind: 'receipt';
      readonly carrierMessageId: string;
      readonly status: 'delivered' | 'failed';
      readonly error: string | null;
    };

export interface FaxCarrier {
  /** Repeatable: the carrier sends a fax that it is given twice only once. */
  send(fax: Fax, fileUrl: string): Promise<Sent>;
  /** Throws CarrierNonsense if the call is malformed. */
  read(call: KeptCall): FaxNews;
}

const words = z.string().max(100).nullish();

const inbound = z.object({
  type: z.literal('fax').optional(),
  id: messageId,
  from: z.string().max(40),
  from_name: words,
  to: z.string().max(40),
  to_name: words,
  subject: z.string().max(255).nullish(),
  pages: z.int().min(0).max(100_000).nullish(),
  /** The content itself, */
  content: z.object({ name: z.string().max(255), content_type: z.string().max(100), base64: z.base64() }).nullish(),
  /** or the URL to fetch it from. */
  media_url: z.string().nullish(),
  media_type: z.string().max(100).nullish(),
  received_at: z.string().nullish(),
});

const receipt = z.object({
  type: z.literal('receipt'),
  id: messageId,
  message_id: messageId,
  status: z.enum(['delivered', 'failed']),
  error: z.string().max(500).nullish(),
});

const call = z.union([receipt, inbound]);

const simulated: FaxCarrier = {
  send({ id }) {
    const carrierMessageId = `sim-fax-${id}`;
    const receiptId = `sim-fax-delivered-${id}`;
    const body = { type: 'receipt', id: receiptId, message_id: carrierMessageId, status: 'delivered' };
    return Promise.resolve({ carrierMessageId, calls: [{ id: receiptId, body: JSON.stringify(body) }] });
  },

  read({ body, at }) {
    const said = readJson(call, body);
    if (said.type === 'receipt') {
      const { message_id: carrierMessageId, status, error } = said;
      return { kind: 'receipt', carrierMessageId, status, error: error ?? null };
    }
    const { content } = said;
    const fax = {
      carrierMessageId: said.id,
      from: said.from,
      fromName: said.from_name ?? '',
      to: said.to,
      toName: said.to_name ?? '',
      subject: said.subject ?? '',
      pages: said.pages ?? 1,
      content: content
        ? { name: content.name, type: content.content_type, bytes: Buffer.from(content.base64, 'base64') }
        : null,
      media: mediaOf(said.media_url ?? '', said.media_type)[0] ?? null,
      receivedAt: timeOf(said.received_at, at),
    };
    return { kind: 'fax', fax };
  },
};

const FAX_CARRIERS: Readonly<Partial<Record<CarrierName, FaxCarrier>>> = { simulated };

/** Undefined if we do not support faxes with this carrier. */
export const faxCarrierNamed = (name: CarrierName): FaxCarrier | undefined => FAX_CARRIERS[name];
