/** Drafts: saved in localStorage with every change, one per conversation. `sync-drafts.ts` also keeps them on the server. */
import { create } from 'zustand';
import { chat } from '../data/store';
import type { ServerEvent } from '../data/wire';
import { newKey, readStored, writeStored } from '../data/stored';

export interface Target {
  readonly type: 'stream' | 'private';
  /** 0 if no stream is chosen yet. */
  readonly streamId: number;
  readonly topic: string;
  readonly userIds: readonly number[];
}

export interface DraftFile {
  readonly name: string;
  readonly uri: string;
}

export interface Draft extends Target {
  /** Becomes the Idempotency-Key when the draft is sent. */
  readonly key: string;
  readonly content: string;
  /** Uploaded files. They become links when the draft is sent. */
  readonly files?: readonly DraftFile[];
  readonly at: number;
  /** Its id on the server, once it is there. */
  readonly serverId?: number;
  /** Whether the server does not have the newest change. */
  readonly isChanged?: boolean;
}

const MAX = 100;

export const useDrafts = create<{ version: number }>(() => ({ version: 0 }));

const place = (): string => `drafts:${chat().ownId}`;

/** Always read from storage, because another tab may have written. Newest first. */
export const allDrafts = (): readonly Draft[] => readStored<Draft[]>(place(), []);

export const keyOfTarget = ({ type, streamId, topic, userIds }: Target): string =>
  type === 'stream' ? `s${streamId}:${topic.trim().toLowerCase()}` : `p${userIds.join()}`;

export const newDraft = (target: Target): Draft => {
  const { type, streamId, topic, userIds } = target;
  return { type, streamId, topic, userIds, key: newKey(), content: '', at: 0 };
};

export function draftFor(target: Target): Draft {
  const key = keyOfTarget(target);
  return allDrafts().find((draft) => keyOfTarget(draft) === key) ?? newDraft(target);
}

export const isBlank = ({ content, files = [] }: Draft): boolean => content.trim() === '' && files.length === 0;

/** The text as it is sent: the files as links below it. */
export function contentOf({ content, files = [] }: Draft): string {
  const links = files.map(({ name, uri }) => `[${name.replaceAll(/[[\]]/g, '')}](${uri})`);
  return [content.trimEnd(), ...links].filter((part) => part !== '').join('\n');
}

/** Whom to tell that a draft was changed or is gone here: who keeps it on the server. */
let onChange: (gone?: Draft) => void = () => undefined;
let onEvent: (event: ServerEvent) => void = () => undefined;

/** Without arguments nobody follows any more. */
export function followDrafts(
  changed = (_gone?: Draft): void => undefined,
  heard = (_event: ServerEvent): void => undefined,
) {
  onChange = changed;
  onEvent = heard;
}

export const hearDrafts = (event: ServerEvent): void => onEvent(event);

/** Replaces all drafts. Newest first. */
export function storeDrafts(drafts: readonly Draft[]): void {
  writeStored(place(), drafts.slice(0, MAX));
  useDrafts.setState(({ version }) => ({ version: version + 1 }));
}

/** A draft without text and files is removed. */
export function keepDraft(draft: Draft): void {
  if (isBlank(draft)) return dropDraft(draft.key);
  const all = allDrafts();
  const serverId = all.find(({ key }) => key === draft.key)?.serverId;
  const others = all.filter(({ key }) => key !== draft.key);
  const { serverId: _, ...rest } = draft;
  const kept = { ...rest, ...(serverId === undefined ? {} : { serverId }), at: Date.now() / 1000, isChanged: true };
  storeDrafts([kept, ...others]);
  onChange();
}

export function dropDraft(key: string): void {
  const all = allDrafts();
  const gone = all.find((draft) => draft.key === key);
  if (!gone) return;
  storeDrafts(all.filter((draft) => draft !== gone));
  onChange(gone);
}
