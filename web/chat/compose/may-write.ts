/** Whether the reader may write to a stream. The server decides; this says it before anything is typed. */
import { t } from '../../shared/texts/texts';
import type { ChatState } from '../data/store';

type Rights = Pick<ChatState, 'streams' | 'people' | 'ownId'>;

export function mayWriteTo({ streams, people, ownId }: Rights, id: number): boolean {
  const stream = streams.get(id);
  if (stream?.is_archived) return false;
  return stream?.is_announcement_only !== true || people.get(ownId)?.is_admin === true;
}

/** The reason in words; undefined if the reader may. */
export function whyNot(state: Rights, id: number): string | undefined {
  if (mayWriteTo(state, id)) return undefined;
  const stream = state.streams.get(id);
  return t(stream?.is_archived ? 'compose.archived' : 'compose.adminsOnly', { stream: `#${stream?.name ?? ''}` });
}
