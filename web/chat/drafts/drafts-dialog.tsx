/** Lists all drafts of this browser. */
import { useLocation } from 'wouter';
import { ago } from '../../shared/texts/dates';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { IconButton } from '../../shared/ui/icon-button';
import { pathOf } from '../data/narrow';
import { useChat } from '../data/store';
import { closeDialog } from '../dialogs/dialogs';
import { allDrafts, contentOf, dropDraft, useDrafts, type Draft } from './drafts';
import { openDraft } from '../compose/state';
import { nameOfTarget } from '../compose/target';
import classes from './drafts-dialog.module.css';

function pathFor(draft: Draft): string | undefined {
  if (draft.type === 'private') {
    return draft.userIds.length > 0 ? pathOf({ kind: 'private', userIds: draft.userIds }) : undefined;
  }
  if (draft.streamId === 0) return undefined;
  const { streamId, topic } = draft;
  return pathOf(topic === '' ? { kind: 'stream', streamId } : { kind: 'topic', streamId, topic });
}

export function DraftsDialog() {
  useDrafts((state) => state.version);
  const streams = useChat((state) => state.streams);
  const people = useChat((state) => state.people);
  const [, go] = useLocation();
  const drafts = allDrafts();
  const open = (draft: Draft): void => {
    closeDialog();
    const path = pathFor(draft);
    if (path !== undefined) go(path);
    // After the view has opened its own draft.
    setTimeout(() => openDraft(draft), 0);
  };
  return (
    <Dialog opened onClose={closeDialog} title={t('drafts.title')} size="lg">
      {drafts.length === 0 && <p>{t('drafts.none')}</p>}
      <ul className={classes.list}>
        {drafts.map((draft) => (
          <li key={draft.key}>
            <button type="button" onClick={() => open(draft)}>
              <b>
                {nameOfTarget(draft, { streams, people }) ??
                  t(draft.type === 'private' ? 'compose.newPrivate' : 'compose.newTopic')}
              </b>
              <span>{contentOf(draft)}</span>
              <small>{ago(draft.at)}</small>
            </button>
            <IconButton icon="trash" label={t('drafts.discard')} onClick={() => dropDraft(draft.key)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
