/** Whether the reader may write to a stream. The server decides; this says it before anything is typed. */
import type { ChatState } from '../data/store';

export function mayWriteTo({ streams, people, ownId }: Pick<ChatState, 'streams' | 'people' | 'ownId'>, id: number) {
  const stream = streams.get(id);
  if (stream?.is_archived) return false;
  return stream?.is_announcement_only !== true || people.get(ownId)?.is_admin === true;
}
