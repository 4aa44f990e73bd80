/** The members of a group and the groups in it, with fields to add to both. */
import { Button, Select } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { api } from '../../../shared/http/request';
import { t } from '../../../shared/texts/texts';
import { useChat, useSetting } from '../../data/store';
import type { UserGroup } from '../../data/wire';
import { useWork } from '../../settings/use-work';
import { PersonRow } from '../person-row';
import forms from '../../../shared/forms/form.module.css';
import classes from '../../settings/settings.module.css';

const MAX_CHOICES = 50;

export function GroupMembers({ group, mayEdit }: { group: UserGroup; mayEdit: boolean }) {
  const { id, members } = group;
  const people = useChat((state) => state.people);
  const ownId = useChat((state) => state.ownId);
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const { isBusy, run } = useWork();
  const change = (what: 'members' | 'subgroups', edit: Readonly<Record<'add' | 'delete', number[]>>): void =>
    void run(() => api.post(`/user_groups/${id}/${what}`, edit));
  const inner = groups.filter((each) => group.direct_subgroup_ids.includes(each.id));
  const shown = members.flatMap((member) => people.get(member) ?? []);
  return (
    <>
      <ul className={`${classes.list} ${classes.longList}`} aria-label={t('groups.members', { name: group.name })}>
        {shown.map((person) => (
          <MemberRow
            key={`person ${person.user_id}`}
            name={person.full_name}
            isOwn={person.user_id === ownId}
            remove={mayEdit && !isBusy ? () => change('members', { add: [], delete: [person.user_id] }) : undefined}
          >
            <PersonRow person={person} />
          </MemberRow>
        ))}
        {inner.map(({ id: other, name }) => (
          <MemberRow
            key={`group ${other}`}
            name={name}
            remove={mayEdit && !isBusy ? () => change('subgroups', { add: [], delete: [other] }) : undefined}
          >
            {t('groups.allOf', { name })}
          </MemberRow>
        ))}
      </ul>
      {mayEdit && (
        <div className={`${classes.buttons} ${forms.below}`}>
          <PersonField known={members} onAdd={(person) => change('members', { add: [person], delete: [] })} />
          <GroupField group={group} onAdd={(other) => change('subgroups', { add: [other], delete: [] })} />
        </div>
      )}
    </>
  );
}

interface MemberRowProps {
  readonly name: string;
  readonly isOwn?: boolean;
  /** Missing if the user may not take it out. */
  readonly remove: (() => void) | undefined;
  readonly children: ReactNode;
}

function MemberRow({ name, isOwn = false, remove, children }: MemberRowProps) {
  const label = isOwn ? undefined : t('groups.takeOut', { name });
  return (
    <li>
      <span className={classes.grow}>{children}</span>
      {remove && (
        <Button size="compact-sm" variant="default" aria-label={label} onClick={remove}>
          {t(isOwn ? 'groups.leave' : 'groups.remove.member')}
        </Button>
      )}
    </li>
  );
}

function PersonField({ known, onAdd }: { known: readonly number[]; onAdd: (id: number) => void }) {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const choices = useMemo(
    () =>
      [...people.values()]
        .filter(({ user_id: id }) => !inactive.has(id) && !known.includes(id))
        .map(({ user_id, full_name, email }) => ({ value: String(user_id), label: `${full_name} (${email})` })),
    [people, inactive, known],
  );
  return (
    <Select
      aria-label={t('groups.addPerson')}
      placeholder={t('groups.addPerson')}
      data={choices}
      value={null}
      limit={MAX_CHOICES}
      searchable
      selectFirstOptionOnChange
      renderOption={({ option }) => {
        const person = people.get(Number(option.value));
        return person ? <PersonRow person={person} size={24} /> : option.label;
      }}
      onChange={(value) => value !== null && onAdd(Number(value))}
    />
  );
}

function GroupField({ group, onAdd }: { group: UserGroup; onAdd: (id: number) => void }) {
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const others = groups.filter(({ id }) => id !== group.id && !group.direct_subgroup_ids.includes(id));
  if (others.length === 0) return null;
  return (
    <Select
      aria-label={t('groups.addGroup')}
      placeholder={t('groups.addGroup')}
      data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={null}
      searchable
      selectFirstOptionOnChange
      onChange={(value) => value !== null && onAdd(Number(value))}
    />
  );
}
