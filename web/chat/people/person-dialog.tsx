/** A person's card. */
import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { t, type TextKey } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { Dialog } from '../../shared/ui/dialog';
import { pathOf } from '../data/narrow';
import { writeTerm } from '../data/search-terms';
import { nameOf, useChat, useSetting } from '../data/store';
import type { Person } from '../data/wire';
import { closeDialog } from '../dialogs/dialogs';
import { presenceOf } from './presence-dot';
import classes from './person-dialog.module.css';

function roleOf({ is_bot, is_admin, is_guest }: Person): TextKey {
  if (is_bot) return 'role.bot';
  if (is_admin) return 'role.admin';
  return is_guest ? 'role.guest' : 'role.member';
}

interface ProfileField {
  readonly id: number;
  readonly name: string;
}

export function PersonDialog({ id }: { id: number }) {
  const person = useChat((state) => state.people.get(id));
  const isGone = useChat((state) => state.inactive.has(id));
  const here = useChat((state) => presenceOf(state, id));
  const fields = useSetting<readonly ProfileField[]>('custom_profile_fields', []);
  const [, go] = useLocation();
  if (!person) return null;
  const open = (path: string) => () => {
    closeDialog();
    go(path);
  };
  const filled = fields.flatMap(({ id: field, name }) => {
    const value = person.profile_data?.[field]?.value;
    return value ? [{ name, value }] : [];
  });
  return (
    <Dialog opened onClose={closeDialog} title={t('person.title')} size="sm">
      <div className={classes.head}>
        <Avatar name={person.full_name} id={id} url={person.avatar_url} size={64} />
        <div>
          <h2>{person.full_name}</h2>
          <p>{isGone ? t('person.deactivated') : `${t(roleOf(person))} · ${t(`presence.${here}`)}`}</p>
        </div>
      </div>
      <dl className={classes.facts}>
        <dt>{t('person.email')}</dt>
        <dd>{person.email}</dd>
        {typeof person.bot_owner_id === 'number' && (
          <>
            <dt>{t('person.owner')}</dt>
            <dd>{nameOf(person.bot_owner_id)}</dd>
          </>
        )}
        {filled.map(({ name, value }) => (
          <div key={name} className={classes.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.buttons}>
        <Button onClick={open(pathOf({ kind: 'private', userIds: [id] }))}>{t('person.write')}</Button>
        <Button variant="default" onClick={open(pathOf({ kind: 'search', query: writeTerm('sender', person.email) }))}>
          {t('person.messages')}
        </Button>
      </div>
    </Dialog>
  );
}
