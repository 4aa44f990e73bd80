/** Whether the reader may write to a stream. The server decides; this says it before anything is typed. */
import type { ChatState } from '../data/store';

export function mayWriteTo({ streams, people, ownId }: Pick<ChatState, 'streams' | 'people' | 'ownId'>, id: number) {
  return streams.get(id)?.is_announcement_only !== true || people.get(ownId)?.is_admin === true;
}
