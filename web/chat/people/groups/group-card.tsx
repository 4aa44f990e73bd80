/** A group's card, beside its mention: who is in it, also by the groups within it. */
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { VList } from 'virtua';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../../shared/texts/texts';
import { IconButton } from '../../../shared/ui/icon-button';
import { focusCompose, quoteInto, useCompose } from '../../compose/state';
import { useChat, useSetting } from '../../data/store';
import type { UserGroup } from '../../data/wire';
import { closeDialog, showPerson } from '../../dialogs/dialogs';
import { CardPopover } from '../card-popover';
import { PersonRow } from '../person-row';
import { peopleIn } from './people-in';
import card from '../person-card.module.css';
import classes from './group-card.module.css';

export function GroupCard({ id, at }: { id: number; at: Element | undefined }) {
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const group = groups.find((each) => each.id === id);
  if (!group) return null;
  const count = peopleIn(group, groups).size;
  return (
    <CardPopover at={at} label={t('person.card', { name: group.name })}>
      <div className={card.head}>
        <div>
          <h2>{group.name}</h2>
          <p>{t('groups.count', { count })}</p>
        </div>
        <IconButton icon="close" label={t('action.close')} onClick={closeDialog} />
      </div>
      {group.description !== '' && <p className={card.status}>{group.description}</p>}
      <Members group={group} groups={groups} at={at} />
      <Buttons group={group} />
    </CardPopover>
  );
}

interface MembersProps {
  readonly group: UserGroup;
  readonly groups: readonly UserGroup[];
  readonly at: Element | undefined;
}

/** A virtual list, because everybody may be in a group. A person's card takes the place of this one. */
function Members({ group, groups, at }: MembersProps) {
  const people = useChat((state) => state.people);
  const members = useMemo(
    () =>
      [...peopleIn(group, groups)]
        .flatMap((id) => people.get(id) ?? [])
        .sort((a, b) => a.full_name.localeCompare(b.full_name)),
    [group, groups, people],
  );
  if (members.length === 0) return null;
  return (
    <VList
      className={classes.members}
      data={members}
      itemSize={44}
      style={{ height: Math.min(members.length, 5) * 44 }}
    >
      {(person) => (
        <button
          key={person.user_id}
          type="button"
          className={classes.member}
          onClick={() => showPerson(person.user_id, at)}
        >
          <PersonRow person={person} />
        </button>
      )}
    </VList>
  );
}

function Buttons({ group: { id, name } }: { group: UserGroup }) {
  const isWriting = useCompose(({ draft }) => draft !== undefined);
  const mention = (): void => {
    closeDialog();
    quoteInto(`@*${name}* `);
    focusCompose();
  };
  const open = (): void => {
    closeDialog();
    navigate(`/settings/groups/${id}`);
  };
  return (
    <div className={card.buttons}>
      {isWriting && (
        <Button size="compact-sm" onClick={mention}>
          {t('person.mention')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={open}>
        {t('groups.details')}
      </Button>
    </div>
  );
}
