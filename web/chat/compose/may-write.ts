/** Whether the reader may write to a stream. The server decides; this says it before anything is typed. */
import { t } from '../../shared/texts/texts';
import type { ChatState } from '../data/store';
import { fitsPolicy, policyOf, REASONS } from '../streams/post-policy';

type Rights = Pick<ChatState, 'streams' | 'people' | 'ownId' | 'settings'>;

export function mayWriteTo(state: Rights, id: number): boolean {
  const stream = state.streams.get(id);
  if (!stream) return true;
  return !stream.is_archived && fitsPolicy(state, stream);
}

/** The reason in words; undefined if the reader may. */
export function whyNot(state: Rights, id: number): string | undefined {
  const stream = state.streams.get(id);
  if (!stream || mayWriteTo(state, id)) return undefined;
  return t(stream.is_archived ? 'compose.archived' : REASONS[policyOf(stream)], { stream: `#${stream.name}` });
}
