/** The user's own menu at the bottom of the side bar. */
import { memo } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { MenuButton } from '../../shared/menus/menu-button';
import { tell } from '../../shared/ui/toasts';
import { StatusOf } from '../people/status-emoji';
import { markEverythingRead } from '../reading/mark-as-read';
import { useChat, useIsAdmin } from '../data/store';
import { signOut } from '../session/session';
import { showDialog } from '../dialogs/dialogs';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

export const OwnMenu = memo(function OwnMenu() {
  const me = useChat((state) => state.people.get(state.ownId));
  const isAdmin = useIsAdmin();
  if (!me) return null;
  return (
    <MenuButton
      position="top-start"
      width={240}
      button={
        <button type="button" data-own-menu className={classes.own} title={t('own.menu')}>
          <Avatar name={me.full_name} id={me.user_id} url={me.avatar_url} size={28} />
          <span className={nav.label}>
            {me.full_name} <StatusOf id={me.user_id} />
          </span>
          <Icon name="settings" size={16} />
        </button>
      }
      entries={[
        { icon: 'smile', text: t('status.title'), run: () => showDialog({ kind: 'status' }) },
        { icon: 'settings', text: t('settings.title'), run: () => navigate('/settings/profile') },
        { icon: 'hash', text: t('directory.title'), run: () => navigate('/streams') },
        { icon: 'bot', text: t('bots.title'), run: () => navigate('/settings/bots') },
        ...(isAdmin
          ? [{ icon: 'shield', text: t('admin.title'), run: () => navigate('/settings/people') } as const]
          : []),
        { icon: 'keyboard', text: t('shortcuts.title'), run: () => showDialog({ kind: 'shortcuts' }) },
        { icon: 'check', text: t('action.markAllRead'), run: () => tell(markEverythingRead()) },
        'line',
        { icon: 'book', text: t('place.docs'), href: '/docs' },
        'line',
        { icon: 'door', text: t('own.signOut'), run: () => tell(signOut()) },
      ]}
    />
  );
});
