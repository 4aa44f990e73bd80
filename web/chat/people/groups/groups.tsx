/** Groups of people, who can be mentioned together: all of them, or the one of this address. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../shared/http/request';
import { Section } from '../../../shared/forms/section';
import { t } from '../../../shared/texts/texts';
import { useChat, useSetting } from '../../data/store';
import type { UserGroup } from '../../data/wire';
import { useWork } from '../../settings/use-work';
import { useMay, useModerates } from '../../admin/rights';
import { GroupForm, type GroupFields } from './group-form';
import { GroupPage, GROUPS_PATH } from './group-page';
import { peopleIn } from './people-in';
import forms from '../../../shared/forms/form.module.css';
import classes from '../../settings/settings.module.css';

/** Those to whom the organisation leaves it create groups, and change those that they are in; moderators change all. */
function useRights() {
  const moderates = useModerates();
  const ownId = useChat((state) => state.ownId);
  const mayCreate = useMay('user_group_edit_policy');
  return { mayCreate, mayEdit: (group: UserGroup) => mayCreate && (moderates || group.members.includes(ownId)) };
}

export function Groups({ id }: { id?: string | undefined }) {
  const { mayCreate, mayEdit } = useRights();
  if (id !== undefined) return <GroupPage id={Number(id)} mayEdit={mayEdit} />;
  return (
    <>
      <AllGroups />
      {mayCreate && <NewGroup />}
    </>
  );
}

function AllGroups() {
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  return (
    <Section hint={t('groups.hint')}>
      {groups.length === 0 && <p className={forms.dim}>{t('groups.none')}</p>}
      <ul className={classes.list}>
        {groups.map((group) => (
          <li key={group.id}>
            <span className={classes.grow}>
              <b>{group.name}</b>
              <small>{group.description}</small>
            </span>
            <small>{t('groups.count', { count: peopleIn(group, groups).size })}</small>
            <Button
              component={Link}
              href={`${GROUPS_PATH}/${group.id}`}
              size="compact-sm"
              variant="default"
              aria-label={t('groups.show', { name: group.name })}
            >
              {t('groups.details')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NewGroup() {
  const ownId = useChat((state) => state.ownId);
  const { run } = useWork();
  const [made, setMade] = useState(0);
  const create = async (fields: GroupFields): Promise<boolean> => {
    const isDone = await run(() => api.post('/user_groups/create', { ...fields, members: [ownId] }));
    if (isDone) setMade(made + 1);
    return isDone;
  };
  return (
    <Section title={t('groups.new')}>
      <GroupForm key={made} known={{ name: '', description: '' }} button={t('groups.create')} save={create} />
    </Section>
  );
}
