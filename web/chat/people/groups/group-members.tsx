/** The members of a group and the groups in it, with fields to add to both. */
import { Button, Select } from '@mantine/core';
import { useMemo } from 'react';
import { VList } from 'virtua';
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../../shared/http/request';
import { t } from '../../../shared/texts/texts';
import { useChat, useSetting } from '../../data/store';
import type { Person, UserGroup } from '../../data/wire';
import { showPerson } from '../../dialogs/dialogs';
import { useWork } from '../../settings/use-work';
import { PersonRow } from '../person-row';
import forms from '../../../shared/forms/form.module.css';
import settings from '../../settings/settings.module.css';
import classes from './group-page.module.css';
import rows from '../member-row.module.css';

const MAX_CHOICES = 50;

/** As high as a finger, and apart from the next one. */
const ROW = 52;
const MAX_ROWS = 10;

const byName = new Intl.Collator();

/** A virtual list, because everybody may be in a group. */
export function GroupMembers({ group, mayEdit }: { group: UserGroup; mayEdit: boolean }) {
  const { id, name, members } = group;
  const people = useChat((state) => state.people);
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const { isBusy, run } = useWork();
  const change = (what: 'members' | 'subgroups', edit: Readonly<Record<'add' | 'delete', number[]>>): void =>
    void run(() => api.post(`/user_groups/${id}/${what}`, edit));
  const rows = useMemo(() => {
    const inner = groups.filter((each) => group.direct_subgroup_ids.includes(each.id));
    const found = members.flatMap((member) => people.get(member) ?? []);
    return [...inner, ...found.sort((one, other) => byName.compare(one.full_name, other.full_name))];
  }, [group, groups, members, people]);
  const mayTakeOut = mayEdit && !isBusy;
  return (
    <>
      {rows.length > 0 && (
        <VList
          className={classes.members}
          role="list"
          aria-label={t('groups.members', { name })}
          data={rows}
          itemSize={ROW}
          style={{ height: Math.min(rows.length, MAX_ROWS) * ROW }}
        >
          {(row) =>
            'members' in row ? (
              <InnerGroup
                key={`group ${row.id}`}
                group={row}
                remove={mayTakeOut ? () => change('subgroups', { add: [], delete: [row.id] }) : undefined}
              />
            ) : (
              <Member
                key={`person ${row.user_id}`}
                person={row}
                remove={mayTakeOut ? () => change('members', { add: [], delete: [row.user_id] }) : undefined}
              />
            )
          }
        </VList>
      )}
      {mayEdit && (
        <div className={`${settings.buttons} ${forms.below}`}>
          <PersonField known={members} onAdd={(person) => change('members', { add: [person], delete: [] })} />
          <GroupField group={group} onAdd={(other) => change('subgroups', { add: [other], delete: [] })} />
        </div>
      )}
    </>
  );
}

/** Missing if the user may not take it out. */
type Remove = (() => void) | undefined;

function InnerGroup({ group: { id, name }, remove }: { group: UserGroup; remove: Remove }) {
  return (
    <div className={`${classes.member} ${rows.row}`} role="listitem">
      <button type="button" onClick={() => navigate(`/settings/groups/${id}`)}>
        {t('groups.allOf', { name })}
      </button>
      {remove && (
        <Button size="compact-sm" variant="default" aria-label={t('groups.takeOut', { name })} onClick={remove}>
          {t('groups.remove.member')}
        </Button>
      )}
    </div>
  );
}

function Member({ person, remove }: { person: Person; remove: Remove }) {
  const isOwn = useChat((state) => state.ownId === person.user_id);
  const label = isOwn ? undefined : t('groups.takeOut', { name: person.full_name });
  return (
    <div className={`${classes.member} ${rows.row}`} role="listitem">
      <button type="button" onClick={({ currentTarget }) => showPerson(person.user_id, currentTarget)}>
        <PersonRow person={person} />
      </button>
      {remove && (
        <Button size="compact-sm" variant="default" aria-label={label} onClick={remove}>
          {t(isOwn ? 'groups.leave' : 'groups.remove.member')}
        </Button>
      )}
    </div>
  );
}

function PersonField({ known, onAdd }: { known: readonly number[]; onAdd: (id: number) => void }) {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const choices = useMemo(() => {
    const isIn = new Set(known);
    return [...people.values()]
      .filter(({ user_id: id }) => !inactive.has(id) && !isIn.has(id))
      .map(({ user_id, full_name, email }) => ({ value: String(user_id), label: `${full_name} (${email})` }));
  }, [people, inactive, known]);
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
