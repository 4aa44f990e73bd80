/** Faxes, and the addresses that are notified of them. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/files';
import type { CompanyId } from '../companies/company';
import type { CarrierAccountId, Direction } from '../texting/texting';
import type { FileId } from './file';

declare const fax: unique symbol;
export type FaxId = string & { readonly [fax]: true };

/** Outbound: queued → sent → delivered or failed. Inbound faxes are always received. */
export const FAX_STATUSES = ['queued', 'sent', 'delivered', 'failed', 'received'] as const;
export type FaxStatus = (typeof FAX_STATUSES)[number];

export interface Fax {
  readonly id: FaxId;
  readonly companyId: CompanyId;
  readonly direction: Direction;
  readonly status: FaxStatus;
  readonly fileId: FileId | null;
  /** The file's integer id. */
  readonly fileNumber: number | null;
  readonly from: string;
  readonly fromName: string;
  readonly to: string;
  readonly toName: string;
  readonly subject: string;
  readonly pages: number;
  readonly isRead: boolean;
  readonly carrierAccountId: CarrierAccountId;
  readonly createdAt: Date;
}

/** Exactly the fields of the specification. */
export const faxObject = (each: Fax): Wire<typeof answers.fax> => ({
  id: each.id,
  company: each.companyId,
  created_at: each.createdAt.toISOString(),
  file: each.fileId === null ? null : { id: each.fileId, internal_id: each.fileNumber },
  from: each.from,
  from_name: each.fromName,
  is_read: each.isRead,
  pages: each.pages,
  subject: each.subject,
  to: each.to,
  to_name: each.toName,
});

export interface Destination {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly emails: readonly string[];
}

export const destinationObject = ({ id, companyId, emails }: Destination): Wire<typeof answers.destination> => ({
  id,
  company: companyId,
  emails,
  reprname: emails.join(', '),
});

/** An inbound fax as a carrier reports it, with its content or the URL of its content. */
export interface InboundFax extends Pick<Fax, 'from' | 'fromName' | 'to' | 'toName' | 'subject' | 'pages'> {
  readonly carrierMessageId: string;
  readonly content: { readonly name: string; readonly type: string; readonly bytes: Buffer } | null;
  readonly media: { readonly url: string; readonly contentType: string } | null;
  readonly receivedAt: Date;
}
