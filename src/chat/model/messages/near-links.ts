/** Links to one message in its context, relative to the organisation's root. */
import { encodeNarrow, narrowTo } from '../markdown/links/stream-links';

export const nearTopic = (stream: { readonly id: number; readonly name: string }, topic: string, id: number): string =>
  `${narrowTo(stream)}/topic/${encodeNarrow(topic)}/near/${id}`;

export const nearConversation = (userIds: readonly number[], id: number): string =>
  `/#narrow/pm-with/${userIds.join(',')}-pm/near/${id}`;
