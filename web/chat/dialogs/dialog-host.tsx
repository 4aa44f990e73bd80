/** Shows the open dialog. Dialogs are loaded on demand, or ahead of time by `later.ts`. */
import { Suspense } from 'react';
import { lazyPart } from '../../shared/lazy-part';
import { useShown, type DialogKind } from './dialogs';

const Palette = lazyPart(() => import('../keyboard/palette'), 'Palette');
const ShortcutsDialog = lazyPart(() => import('../keyboard/shortcuts-dialog'), 'ShortcutsDialog');
const PersonCard = lazyPart(() => import('../people/person-card'), 'PersonCard');
const GroupCard = lazyPart(() => import('../people/groups/group-card'), 'GroupCard');
const StatusDialog = lazyPart(() => import('../people/status-dialog'), 'StatusDialog');
const HistoryDialog = lazyPart(() => import('./history-dialog'), 'HistoryDialog');
const TopicDialog = lazyPart(() => import('../topics/topic-dialog'), 'TopicDialog');
const DeleteTopicDialog = lazyPart(() => import('../topics/delete-topic-dialog'), 'DeleteTopicDialog');
const ArchiveDialog = lazyPart(() => import('../streams/archive-dialog'), 'ArchiveDialog');
const ReadersDialog = lazyPart(() => import('./readers-dialog'), 'ReadersDialog');
const DeleteDialog = lazyPart(() => import('./delete-dialog'), 'DeleteDialog');
const DateDialog = lazyPart(() => import('./date-dialog'), 'DateDialog');
const DraftsDialog = lazyPart(() => import('../drafts/drafts-dialog'), 'DraftsDialog');
const TimeDialog = lazyPart(() => import('../scheduled/time-dialog'), 'TimeDialog');
const Viewer = lazyPart(() => import('../viewer/viewer'), 'Viewer');

export function DialogHost() {
  const dialog = useShown((state) => state.dialog);
  return dialog ? <Suspense fallback={null}>{dialogOf(dialog)}</Suspense> : null;
}

function dialogOfTopic({ kind, streamId, topic }: Extract<DialogKind, { topic: string }>) {
  if (kind === 'delete-topic') return <DeleteTopicDialog streamId={streamId} topic={topic} />;
  return <TopicDialog kind={kind} streamId={streamId} topic={topic} />;
}

function dialogOfMessage(dialog: Extract<DialogKind, { messageId: number }>) {
  const { messageId } = dialog;
  switch (dialog.kind) {
    case 'history':
      return <HistoryDialog messageId={messageId} />;
    case 'edit-topic':
      return <TopicDialog messageId={messageId} />;
    case 'delete':
      return <DeleteDialog messageId={messageId} />;
    case 'readers':
      return <ReadersDialog messageId={messageId} />;
    case 'remind':
      return <TimeDialog dialog={dialog} />;
    case 'viewer':
      return <Viewer messageId={messageId} index={dialog.index} />;
  }
}

function dialogOf(dialog: DialogKind) {
  if ('messageId' in dialog) return dialogOfMessage(dialog);
  if ('topic' in dialog) return dialogOfTopic(dialog);
  switch (dialog.kind) {
    case 'archive-stream':
      return <ArchiveDialog streamId={dialog.streamId} />;
    case 'person':
      return <PersonCard key={dialog.id} id={dialog.id} at={dialog.at} />;
    case 'group':
      return <GroupCard key={dialog.id} id={dialog.id} at={dialog.at} />;
    case 'status':
      return <StatusDialog />;
    case 'shortcuts':
      return <ShortcutsDialog />;
    case 'palette':
      return <Palette />;
    case 'date':
      return <DateDialog />;
    case 'drafts':
      return <DraftsDialog />;
    case 'send-later':
      return <TimeDialog dialog={dialog} />;
  }
}
