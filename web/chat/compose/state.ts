/** State of the compose box: its draft, and whether it is open. Each conversation has its own draft. */
import { create } from 'zustand';
import { tell } from '../../shared/ui/toasts';
import { conversationOf, type Narrow } from '../data/narrow';
import { sendMessage, type Outgoing } from '../data/outbox';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import { allDrafts, contentOf, draftFor, dropDraft, isBlank, keepDraft, keyOfTarget, newDraft } from '../drafts/drafts';
import type { Draft, DraftFile, Target } from '../drafts/drafts';
import { commandIn } from '../text/commands';
import { mayWriteTo } from './may-write';
import { targetOf, toPeople, toTopic } from './target';

export type Field = 'content' | 'stream' | 'topic' | 'people';

interface ComposeState {
  readonly draft?: Draft | undefined;
  /** The conversation of the view, if it is one. */
  readonly home?: Target | undefined;
  /** Whether the recipients can be changed: they are not those of the view, or somebody wants to. */
  readonly isTargetShown: boolean;
  /** Incremented when the box should take the focus. */
  readonly focusWanted: number;
  readonly focusField: Field;
  readonly isPreviewing: boolean;
  /** The drafts whose files are being uploaded. */
  readonly uploading: ReadonlySet<string>;
}

export const useCompose = create<ComposeState>(() => ({
  isTargetShown: false,
  focusWanted: 0,
  focusField: 'content',
  isPreviewing: false,
  uploading: new Set(),
}));

const compose = (): ComposeState => useCompose.getState();

function show(draft: Draft | undefined, focusField?: Field): void {
  useCompose.setState(({ focusWanted, home }) => ({
    draft,
    isTargetShown: draft !== undefined && !isAtHome(draft, home),
    isPreviewing: false,
    focusWanted: focusField === undefined ? focusWanted : focusWanted + 1,
    focusField: focusField ?? 'content',
  }));
}

/** A whole stream is no conversation: its messages need a topic. */
const isAtHome = (draft: Draft, home: Target | undefined): boolean =>
  home !== undefined && keyOfTarget(home) === keyOfTarget(draft) && (draft.type === 'private' || draft.topic !== '');

/** A view opens the draft of its conversation. Views of many conversations leave the box closed. */
export function openFor(narrow: Narrow): void {
  const home = targetOf(narrow);
  useCompose.setState({ home });
  show(home && draftFor(home));
}

/** Opens the box for the conversation of the view, or else for any. */
export function openHome(): void {
  const { home } = compose();
  if (home) show(draftFor(home), 'content');
  else openToStream(0);
}

export function openReply(message: Message): void {
  const target = targetOf(conversationOf(message, chat().ownId));
  if (!target) return;
  const { draft } = compose();
  const fitting = draftFor(target);
  show(draft?.key === fitting.key ? draft : fitting, 'content');
}

/** Opens the box for a conversation, if it is one. */
export function openConversation(narrow: Narrow): void {
  const target = targetOf(narrow);
  if (target) show(draftFor(target), 'content');
}

export const openToPeople = (userIds: readonly number[]): void =>
  show(draftFor(toPeople(userIds)), userIds.length > 0 ? 'content' : 'people');

export function openToStream(streamId: number): void {
  show(draftFor(toTopic(streamId, '')), streamId === 0 ? 'stream' : 'topic');
}

export function focusCompose(): void {
  if (compose().draft) show(compose().draft, 'content');
  else if (compose().home) openHome();
}

export function changeTarget(): void {
  const { draft } = compose();
  if (!draft) return;
  show(draft, draft.type === 'private' ? 'people' : 'topic');
  useCompose.setState({ isTargetShown: true });
}

export const openDraft = (draft: Draft): void => show(draft, 'content');
export const closeCompose = (): void => show(undefined);

export function changeDraft(change: Partial<Target & Pick<Draft, 'content' | 'files'>>): void {
  const { draft } = compose();
  if (!draft) return;
  const next = { ...draft, ...change };
  useCompose.setState({ draft: next });
  keepDraft(next);
}

/** Shows what became of the draft in another browser or tab. */
export function showKept(): void {
  const { draft } = compose();
  if (!draft) return;
  const kept = allDrafts().find(({ key }) => key === draft.key) ?? draftFor(draft);
  if (contentOf(kept) !== contentOf(draft)) useCompose.setState({ draft: kept });
}

/** Adds a file to its draft, which may have left the box since the upload began. */
export function addFile(draft: Draft, file: DraftFile): void {
  const isOpen = compose().draft?.key === draft.key;
  const newest = isOpen ? compose().draft! : (allDrafts().find(({ key }) => key === draft.key) ?? draft);
  const files = [...(newest.files ?? []), file];
  if (isOpen) changeDraft({ files });
  else keepDraft({ ...newest, files });
}

export function quoteInto(text: string): void {
  const { draft } = compose();
  if (!draft) return;
  const gap = draft.content === '' || draft.content.endsWith('\n') ? '' : '\n';
  changeDraft({ content: `${draft.content}${gap}${text}` });
}

/** Turns an unsent message back into a draft with a new key. */
export function restoreDraft(entry: Pick<Outgoing, 'type' | 'to' | 'topic' | 'content'>): void {
  const target = entry.type === 'stream' ? toTopic(entry.to[0]!, entry.topic) : toPeople(entry.to);
  const draft = { ...newDraft(target), content: entry.content };
  keepDraft(draft);
  show(draft, 'content');
}

export function canSend(draft: Draft, areTopicsMandatory: boolean): boolean {
  if (isBlank(draft) || compose().uploading.has(draft.key)) return false;
  if (commandIn(contentOf(draft))) return true;
  if (draft.type === 'private') return draft.userIds.length > 0;
  if (!mayWriteTo(chat(), draft.streamId)) return false;
  return draft.streamId > 0 && (draft.topic.trim() !== '' || !areTopicsMandatory);
}

export function sendDraft(): void {
  const { draft } = compose();
  if (!draft || !canSend(draft, chat().settings['realm_mandatory_topics'] === true)) return;
  const content = contentOf(draft);
  const command = commandIn(content);
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
    content,
  });
  emptyAfter(draft, topic);
}

/** The draft has become a message. The box is open for the next one at the same place. */
export function emptyAfter(draft: Draft, topic: string): void {
  dropDraft(draft.key);
  show(newDraft(draft.type === 'stream' ? toTopic(draft.streamId, topic) : draft), 'content');
}
