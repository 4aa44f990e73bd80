/** Links that lead a client to one message among its neighbours, from the root of the organisation. */
import { encodeNarrow, narrowTo } from '../markdown/links/stream-links';

export const nearTopic = (stream: { readonly id: number; readonly name: string }, topic: string, id: number): string =>
  `${narrowTo(stream)}/topic/${encodeNarrow(topic)}/near/${id}`;

export const nearConversation = (userIds: readonly number[], id: number): string =>
  `/#narrow/pm-with/${userIds.join(',')}-pm/near/${id}`;
