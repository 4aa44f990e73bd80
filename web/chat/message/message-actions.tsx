/** Actions of a message: a bar, shown on hover or selection, and a menu. */
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { MenuButton, type MenuEntry } from '../../shared/menus/menu-button';
import { tell } from '../../shared/ui/toasts';
import { canDelete, canEditContent, canEditTopic, toggleStar } from '../data/actions';
import { isInArchive } from '../data/store';
import type { Message } from '../data/wire';
import { showDialog, useShown } from '../dialogs/dialogs';
import { copyLink, quote, reply, startEdit, unreadFromHere } from './message-commands';
import classes from './message-actions.module.css';

const ReactionPicker = lazyPart(() => import('./reaction-picker'), 'ReactionPicker');

export function MessageActions({ message, isSelected }: { message: Message; isSelected: boolean }) {
  const isReacting = useShown((state) => state.reactingTo === message.id);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const react = (isOpen: boolean): void => useShown.setState({ reactingTo: isOpen ? message.id : undefined });
  const isStarred = message.flags.includes('starred');
  const isClosed = isInArchive(message);
  const smile = isClosed ? null : (
    <IconButton icon="smile" label={t('message.react')} tabIndex={-1} size={16} onClick={() => react(!isReacting)} />
  );
  return (
    <div className={classes.actions} data-shown={isSelected || isReacting || isMenuOpen || undefined}>
      {isReacting && smile ? (
        <Suspense fallback={smile}>
          <ReactionPicker message={message} button={smile} onClose={() => react(false)} />
        </Suspense>
      ) : (
        smile
      )}
      {!isClosed && (
        <IconButton icon="reply" label={t('message.reply')} tabIndex={-1} size={16} onClick={() => reply(message)} />
      )}
      <IconButton
        icon="star"
        filled={isStarred}
        aria-pressed={isStarred}
        label={t(isStarred ? 'message.unstar' : 'message.star')}
        tabIndex={-1}
        size={16}
        onClick={() => tell(toggleStar(message))}
      />
      {canEditContent(message) && (
        <IconButton icon="edit" label={t('message.edit')} tabIndex={-1} size={16} onClick={() => startEdit(message)} />
      )}
      <MenuButton
        position="bottom-end"
        width={270}
        onToggle={setMenuOpen}
        button={<IconButton icon="more" label={t('message.more')} tabIndex={isSelected ? 0 : -1} size={16} />}
        entries={entriesOf(message)}
      />
    </div>
  );
}

function entriesOf(message: Message): MenuEntry[] {
  const messageId = message.id;
  const ifSo = (may: boolean, entry: MenuEntry): MenuEntry[] => (may ? [entry] : []);
  return [
    ...ifSo(!isInArchive(message), { icon: 'quote', text: t('message.quote'), run: () => tell(quote(message)) }),
    { icon: 'link', text: t('message.copyLink'), run: () => tell(copyLink(message), t('message.linkCopied')) },
    { icon: 'clock', text: t('remind.open'), run: () => showDialog({ kind: 'remind', messageId }) },
    { icon: 'eye', text: t('message.unreadFromHere'), run: () => tell(unreadFromHere(message)) },
    { icon: 'check', text: t('message.readers'), run: () => showDialog({ kind: 'readers', messageId }) },
    ...ifSo(canEditTopic(message), {
      icon: 'edit',
      text: t('message.editTopic'),
      run: () => showDialog({ kind: 'edit-topic', messageId }),
    }),
    ...ifSo(message.last_edit_timestamp !== undefined, {
      icon: 'history',
      text: t('message.history'),
      run: () => showDialog({ kind: 'history', messageId }),
    }),
    ...ifSo(canDelete(message), {
      icon: 'trash',
      text: t('message.delete'),
      run: () => showDialog({ kind: 'delete', messageId }),
    }),
  ];
}
