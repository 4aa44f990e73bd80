/** Brings together the drafts of this browser and those on the server. */
import { newKey } from '../data/stored';
import { contentOf, keyOfTarget, type Draft, type Target } from './drafts';

/** As the server has it. */
export interface ServerDraft {
  readonly id: number;
  /** Empty while nobody is chosen. */
  readonly type: '' | 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
}

export function toServer(draft: Draft): Omit<ServerDraft, 'id'> {
  const { type, streamId, topic, userIds, at } = draft;
  const to = type === 'private' ? userIds : streamId > 0 ? [streamId] : [];
  return {
    type: to.length === 0 ? '' : type,
    to,
    topic: type === 'stream' ? topic.trim() : '',
    content: contentOf(draft),
    timestamp: Math.floor(at),
  };
}

const targetOf = ({ type, to, topic }: ServerDraft): Target =>
  type === 'private'
    ? { type, streamId: 0, topic: '', userIds: to.toSorted((a, b) => a - b) }
    : { type: 'stream', streamId: to[0] ?? 0, topic, userIds: [] };

/** All drafts of the server. What changed here and is not there yet stays; what is gone there is gone. */
export function mergeAll(local: readonly Draft[], server: readonly ServerDraft[]): Draft[] {
  const ids = new Set(server.map(({ id }) => id));
  const left = local.filter(({ serverId, isChanged }) => serverId === undefined || isChanged || ids.has(serverId));
  return server.reduce(mergeOne, left).toSorted((a, b) => b.at - a.at);
}

/** A draft that was saved or changed, here or elsewhere. */
export function mergeOne(local: readonly Draft[], saved: ServerDraft): Draft[] {
  const known = local.find(({ serverId }) => serverId === saved.id) ?? local.find((draft) => isTwin(draft, saved));
  if (!known) return [draftOf(saved, newKey()), ...local];
  return local.map((draft) => (draft === known ? merged(draft, saved) : draft));
}

/** Saved by a page that did not hear the answer. */
const isTwin = (draft: Draft, saved: ServerDraft): boolean =>
  draft.serverId === undefined &&
  keyOfTarget(draft) === keyOfTarget(targetOf(saved)) &&
  contentOf(draft) === saved.content;

function merged(draft: Draft, saved: ServerDraft): Draft {
  const isSame = contentOf(draft) === saved.content && keyOfTarget(draft) === keyOfTarget(targetOf(saved));
  if (isSame) return { ...draft, serverId: saved.id, isChanged: false };
  return draft.isChanged ? { ...draft, serverId: saved.id } : draftOf(saved, draft.key);
}

const draftOf = (saved: ServerDraft, key: string): Draft => ({
  ...targetOf(saved),
  key,
  content: saved.content,
  at: saved.timestamp,
  serverId: saved.id,
});
