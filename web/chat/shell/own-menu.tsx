/** Oneself, at the foot of the side bar, with the way to settings and the other pages. */
import { Menu } from '@mantine/core';
import { useLocation } from 'wouter';
import { t } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { markAllRead } from '../data/actions';
import { useChat, useIsAdmin } from '../data/store';
import { signOut } from '../session/session';
import { showDialog } from './dialogs';
import classes from './side-bar.module.css';

export function OwnMenu() {
  const me = useChat((state) => state.people.get(state.ownId));
  const isAdmin = useIsAdmin();
  const [, go] = useLocation();
  if (!me) return null;
  return (
    <div className={classes.foot}>
      <Menu position="top-start" width={240} shadow="md">
        <Menu.Target>
          <button type="button" data-own-menu className={classes.own} title={t('own.menu')}>
            <Avatar name={me.full_name} id={me.user_id} url={me.avatar_url} size={28} />
            <span className={classes.label}>{me.full_name}</span>
            <Icon name="settings" size={16} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="settings" size={16} />} onClick={() => go('/settings/profile')}>
            {t('settings.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="hash" size={16} />} onClick={() => go('/streams')}>
            {t('directory.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="bot" size={16} />} onClick={() => go('/settings/bots')}>
            {t('bots.title')}
          </Menu.Item>
          {isAdmin && (
            <Menu.Item leftSection={<Icon name="shield" size={16} />} onClick={() => go('/settings/people')}>
              {t('admin.title')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="keyboard" size={16} />} onClick={() => showDialog({ kind: 'shortcuts' })}>
            {t('shortcuts.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="check" size={16} />} onClick={() => tell(markAllRead())}>
            {t('action.markAllRead')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="shield" size={16} />} component="a" href="/ops">
            {t('place.console')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="book" size={16} />} component="a" href="/docs">
            {t('place.docs')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="door" size={16} />} onClick={() => tell(signOut())}>
            {t('own.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
