/** What can be done with a message: a bar that shows when the pointer or the selection is on it, and a menu. */
import { Menu, Popover } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { canDelete, canEditContent, canEditTopic, toggleReaction, toggleStar } from '../data/actions';
import type { Message } from '../data/wire';
import { showDialog, useShown } from '../shell/dialogs';
import { EmojiPicker } from './emoji-picker';
import { copyLink, quote, reply, startEdit, unreadFromHere } from './message-commands';
import classes from './message-actions.module.css';

export function MessageActions({ message, isSelected }: { message: Message; isSelected: boolean }) {
  const isReacting = useShown((state) => state.reactingTo === message.id);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const react = (isOpen: boolean): void => useShown.setState({ reactingTo: isOpen ? message.id : undefined });
  const isStarred = message.flags.includes('starred');
  return (
    <div className={classes.actions} data-shown={isSelected || isReacting || isMenuOpen || undefined}>
      <Popover opened={isReacting} onChange={react} position="bottom-end" trapFocus shadow="md" withinPortal>
        <Popover.Target>
          <IconButton
            icon="smile"
            label={t('message.react')}
            tabIndex={-1}
            size={16}
            onClick={() => react(!isReacting)}
          />
        </Popover.Target>
        <Popover.Dropdown>
          <EmojiPicker
            onPick={(emoji) => {
              react(false);
              tell(toggleReaction(message, emoji));
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <IconButton icon="reply" label={t('message.reply')} tabIndex={-1} size={16} onClick={() => reply(message)} />
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
      <Menu opened={isMenuOpen} onChange={setMenuOpen} position="bottom-end" shadow="md" width={270}>
        <Menu.Target>
          <IconButton icon="more" label={t('message.more')} tabIndex={isSelected ? 0 : -1} size={16} />
        </Menu.Target>
        <Menu.Dropdown>
          <MoreActions message={message} />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function MoreActions({ message }: { message: Message }) {
  const messageId = message.id;
  return (
    <>
      <Menu.Item leftSection={<Icon name="quote" size={16} />} onClick={() => tell(quote(message))}>
        {t('message.quote')}
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="link" size={16} />}
        onClick={() => tell(copyLink(message), t('message.linkCopied'))}
      >
        {t('message.copyLink')}
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="eye" size={16} />} onClick={() => tell(unreadFromHere(message))}>
        {t('message.unreadFromHere')}
      </Menu.Item>
      {canEditTopic(message) && (
        <Menu.Item
          leftSection={<Icon name="edit" size={16} />}
          onClick={() => showDialog({ kind: 'edit-topic', messageId })}
        >
          {t('message.editTopic')}
        </Menu.Item>
      )}
      {message.last_edit_timestamp !== undefined && (
        <Menu.Item
          leftSection={<Icon name="history" size={16} />}
          onClick={() => showDialog({ kind: 'history', messageId })}
        >
          {t('message.history')}
        </Menu.Item>
      )}
      {canDelete(message) && (
        <Menu.Item
          leftSection={<Icon name="trash" size={16} />}
          onClick={() => showDialog({ kind: 'delete', messageId })}
        >
          {t('message.delete')}
        </Menu.Item>
      )}
    </>
  );
}
