/** What devices of the portal are told of: received texts and faxes, and that something about them has changed. */
import type { FaxId } from '../files/fax';
import type { ConversationId } from '../texting/texting';

/** A received text by its position among those that came in, or a received fax. */
export type PushNews = { readonly conversationId: ConversationId; readonly seq: number } | { readonly faxId: FaxId };

/** For whoever does the work of a device. */
export interface DeviceNews {
  readonly news: readonly PushNews[];
}

/** For whoever does the work of a company. What was read by one, or deleted, may be over on the devices of all. */
export type CompanyNews = PushNews | { readonly changedTag: string };

export const textTag = (id: ConversationId): string => `c:${id}`;
export const faxTag = (id: FaxId): string => `f:${id}`;

/** A fax is one thing, but a conversation many. */
export const FAX_ITEM = 1;

/** What a device may show again: the news of a tag. */
export function newsOf(tag: string, itemIds: readonly number[]): PushNews[] {
  const id = tag.slice(2);
  if (tag.startsWith('f:')) return [{ faxId: id as FaxId }];
  return itemIds.map((seq) => ({ conversationId: id as ConversationId, seq }));
}
