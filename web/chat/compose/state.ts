/** State of the compose box: its draft, and whether it is open. Each conversation has its own draft. */
import { create } from 'zustand';
import { tell } from '../../shared/ui/toasts';
import { conversationOf, type Narrow } from '../data/narrow';
import { sendMessage, type Outgoing } from '../data/outbox';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import { commandIn } from './commands';
import { draftFor, dropDraft, keepDraft, newDraft, type Draft, type Target } from './drafts';
import { targetOf, toPeople, toTopic } from './target';

interface ComposeState {
  readonly draft?: Draft | undefined;
  /** Incremented when the box should take the focus. */
  readonly focusWanted: number;
  readonly focusField: 'content' | 'topic' | 'people';
  readonly isPreviewing: boolean;
}

export const useCompose = create<ComposeState>(() => ({ focusWanted: 0, focusField: 'content', isPreviewing: false }));

const compose = (): ComposeState => useCompose.getState();

function show(draft: Draft | undefined, focusField?: ComposeState['focusField']): void {
  useCompose.setState(({ focusWanted }) => ({
    draft,
    isPreviewing: false,
    focusWanted: focusField === undefined ? focusWanted : focusWanted + 1,
    focusField: focusField ?? 'content',
  }));
}

/** A view opens the draft of its conversation. Views of many conversations leave the box closed. */
export function openFor(narrow: Narrow): void {
  const target = targetOf(narrow);
  show(target && draftFor(target));
}

export function openReply(message: Message): void {
  const target = targetOf(conversationOf(message, chat().ownId));
  if (!target) return;
  const { draft } = compose();
  const fitting = draftFor(target);
  show(draft?.key === fitting.key ? draft : fitting, 'content');
}

export const openToPeople = (userIds: readonly number[]): void =>
  show(draftFor(toPeople(userIds)), userIds.length > 0 ? 'content' : 'people');

export function openToStream(streamId: number): void {
  show(draftFor(toTopic(streamId, '')), 'topic');
}

export const focusCompose = (): void => {
  if (compose().draft) show(compose().draft, 'content');
};

export const openDraft = (draft: Draft): void => show(draft, 'content');
export const closeCompose = (): void => show(undefined);

export function changeDraft(change: Partial<Target & Pick<Draft, 'content'>>): void {
  const { draft } = compose();
  if (!draft) return;
  const next = { ...draft, ...change };
  useCompose.setState({ draft: next });
  keepDraft(next);
}

export function quoteInto(text: string): void {
  const { draft } = compose();
  if (!draft) return;
  const gap = draft.content === '' || draft.content.endsWith('\n') ? '' : '\n';
  changeDraft({ content: `${draft.content}${gap}${text}` });
}

/** Turns an unsent message back into a draft with a new key. */
export function restoreDraft(entry: Outgoing): void {
  const target = entry.type === 'stream' ? toTopic(entry.to[0]!, entry.topic) : toPeople(entry.to);
  const draft = { ...newDraft(target), content: entry.content };
  keepDraft(draft);
  show(draft, 'content');
}

export function canSend(draft: Draft, areTopicsMandatory: boolean): boolean {
  if (draft.content.trim() === '') return false;
  if (commandIn(draft.content)) return true;
  if (draft.type === 'private') return draft.userIds.length > 0;
  return draft.streamId > 0 && (draft.topic.trim() !== '' || !areTopicsMandatory);
}

export function sendDraft(): void {
  const { draft } = compose();
  if (!draft || !canSend(draft, chat().settings['realm_mandatory_topics'] === true)) return;
  const command = commandIn(draft.content);
  if (command) {
    changeDraft({ content: '' });
    return tell(command());
  }
  const topic = draft.topic.trim() === '' ? '(no topic)' : draft.topic.trim();
  sendMessage({
    key: draft.key,
    type: draft.type,
    to: draft.type === 'stream' ? [draft.streamId] : draft.userIds,
    topic,
    content: draft.content.trimEnd(),
  });
  dropDraft(draft.key);
  show(newDraft(draft.type === 'stream' ? toTopic(draft.streamId, topic) : draft), 'content');
}
