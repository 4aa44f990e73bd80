/** A person's card, beside their face or name. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../shared/http/request';
import { timeIn } from '../../shared/texts/dates';
import { t, type TextKey } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { copyText } from '../../shared/ui/copy-text';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell, toast } from '../../shared/ui/toasts';
import { focusCompose, quoteInto, useCompose } from '../compose/state';
import { pathOf } from '../data/narrow';
import { writeTerm } from '../data/search-terms';
import { nameOf, useChat, useSetting } from '../data/store';
import type { Person, UserGroup } from '../data/wire';
import { closeDialog, showGroup } from '../dialogs/dialogs';
import { CardPopover } from './card-popover';
import { peopleIn } from './groups/people-in';
import { roleOf } from '../admin/roles';
import { presenceOf } from './presence-dot';
import { StatusEmoji } from './status-emoji';
import classes from './person-card.module.css';

const roleNameOf = (person: Person): TextKey => (person.is_bot ? 'role.bot' : `role.${roleOf(person)}`);

/** The time on the clock of somebody in another zone; empty if it is ours or unknown. */
function localTime({ timezone }: Person): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timezone === '' || timezone === own) return '';
  try {
    return timeIn(timezone);
  } catch {
    return '';
  }
}

const openPath = (path: string) => () => {
  closeDialog();
  navigate(path);
};

export function PersonCard({ id, at }: { id: number; at: Element | undefined }) {
  const person = useChat((state) => state.people.get(id));
  if (!person) return null;
  return (
    <CardPopover at={at} label={t('person.card', { name: person.full_name })}>
      <Head person={person} />
      <Facts person={person} />
      <Buttons person={person} />
    </CardPopover>
  );
}

function Head({ person }: { person: Person }) {
  const { user_id: id, full_name: name, avatar_url: url } = person;
  const status = useChat((state) => state.statuses.get(id));
  const isGone = useChat((state) => state.inactive.has(id));
  const here = useChat((state) => presenceOf(state, id));
  const words = status?.status_text ?? '';
  return (
    <>
      <div className={classes.head}>
        <Avatar name={name} id={id} url={url} size={56} />
        <div>
          <h2>{name}</h2>
          <p>{isGone ? t('person.deactivated') : `${t(roleNameOf(person))} · ${t(`presence.${here}`)}`}</p>
        </div>
        <IconButton icon="close" label={t('action.close')} onClick={closeDialog} />
      </div>
      {(words !== '' || status?.emoji_name) && (
        <p className={classes.status}>
          <StatusEmoji status={status} hasWords={words !== ''} /> {words}
        </p>
      )}
    </>
  );
}

interface ProfileField {
  readonly id: number;
  readonly name: string;
}

function Facts({ person }: { person: Person }) {
  const { user_id: id, email, bot_owner_id: owner } = person;
  const fields = useSetting<readonly ProfileField[]>('custom_profile_fields', []);
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const time = localTime(person);
  const inGroups = groups.filter((group) => peopleIn(group, groups).has(id));
  return (
    <dl className={classes.facts}>
      <Fact name={t('person.email')}>{email}</Fact>
      {time !== '' && <Fact name={t('person.time')}>{time}</Fact>}
      {inGroups.length > 0 && (
        <Fact name={t('groups.title')}>
          {inGroups.map((group) => (
            <button key={group.id} type="button" className={classes.group} onClick={() => showGroup(group.id)}>
              {group.name}
            </button>
          ))}
        </Fact>
      )}
      {typeof owner === 'number' && <Fact name={t('person.owner')}>{nameOf(owner)}</Fact>}
      {fields.map(({ id: field, name }) => {
        const value = person.profile_data?.[field]?.value;
        return value ? (
          <Fact key={field} name={name}>
            {value}
          </Fact>
        ) : null;
      })}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Nobody mutes themselves. */
function MuteButton({ id }: { id: number }) {
  const isMuted = useChat((state) => state.mutedUsers.has(id));
  const isSelf = useChat((state) => state.ownId === id);
  if (isSelf) return null;
  const path = `/users/me/muted_users/${id}`;
  return (
    <Button size="compact-sm" variant="default" onClick={() => tell(isMuted ? api.remove(path) : api.post(path))}>
      {t(isMuted ? 'person.unmute' : 'person.mute')}
    </Button>
  );
}

function Buttons({ person: { user_id: id, full_name: name, email } }: { person: Person }) {
  const isWriting = useCompose(({ draft }) => draft !== undefined);
  const mention = (): void => {
    closeDialog();
    quoteInto(`@**${name}** `);
    focusCompose();
  };
  const path = pathOf({ kind: 'private', userIds: [id] });
  const copy = (): void => tell(copyText(location.origin + path).then(() => toast(t('person.copied'))));
  return (
    <div className={classes.buttons}>
      <Button size="compact-sm" data-autofocus onClick={openPath(path)}>
        {t('person.write')}
      </Button>
      {isWriting && (
        <Button size="compact-sm" variant="default" onClick={mention}>
          {t('person.mention')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        onClick={openPath(pathOf({ kind: 'search', query: writeTerm('sender', email) }))}
      >
        {t('person.messages')}
      </Button>
      <Button size="compact-sm" variant="default" leftSection={<Icon name="link" size={14} />} onClick={copy}>
        {t('person.copy')}
      </Button>
      <MuteButton id={id} />
    </div>
  );
}
