/** Drafts: saved in localStorage with every change, one per conversation. */
import { create } from 'zustand';
import { chat } from '../data/store';
import { newKey, readStored, writeStored } from '../data/stored';

export interface Target {
  readonly type: 'stream' | 'private';
  /** 0 if no stream is chosen yet. */
  readonly streamId: number;
  readonly topic: string;
  readonly userIds: readonly number[];
}

export interface Draft extends Target {
  /** Becomes the Idempotency-Key when the draft is sent. */
  readonly key: string;
  readonly content: string;
  readonly at: number;
}

const MAX = 100;

export const useDrafts = create<{ version: number }>(() => ({ version: 0 }));

const place = (): string => `drafts:${chat().ownId}`;

/** Always read from storage, because another tab may have written. Newest first. */
export const allDrafts = (): readonly Draft[] => readStored<Draft[]>(place(), []);

export const keyOfTarget = ({ type, streamId, topic, userIds }: Target): string =>
  type === 'stream' ? `s${streamId}:${topic.trim().toLowerCase()}` : `p${userIds.join()}`;

export const newDraft = (target: Target): Draft => ({ ...target, key: newKey(), content: '', at: 0 });

export function draftFor(target: Target): Draft {
  const key = keyOfTarget(target);
  return allDrafts().find((draft) => keyOfTarget(draft) === key) ?? newDraft(target);
}

/** A draft without text is removed. */
export function keepDraft(draft: Draft): void {
  const others = allDrafts().filter(({ key }) => key !== draft.key);
  const kept = draft.content.trim() === '' ? others : [{ ...draft, at: Date.now() / 1000 }, ...others];
  writeStored(place(), kept.slice(0, MAX));
  useDrafts.setState(({ version }) => ({ version: version + 1 }));
}

export function dropDraft(key: string): void {
  writeStored(
    place(),
    allDrafts().filter((draft) => draft.key !== key),
  );
  useDrafts.setState(({ version }) => ({ version: version + 1 }));
}
