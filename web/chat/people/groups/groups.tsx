/** Groups of people, who can be mentioned together: who is in them, and which groups are in others. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../../shared/http/request';
import { Section } from '../../../shared/forms/section';
import { t } from '../../../shared/texts/texts';
import { useChat, useIsAdmin, useSetting } from '../../data/store';
import type { UserGroup } from '../../data/wire';
import { SureButton } from '../../settings/sure-button';
import { useWork } from '../../settings/use-work';
import { GroupMembers } from './group-members';
import { peopleIn } from './people-in';
import forms from '../../../shared/forms/form.module.css';
import classes from '../../settings/settings.module.css';

const BY_ADMINS = 2;

/** Members may create groups and change those that they are in, where the organisation does not leave it to administrators. */
function useRights() {
  const isAdmin = useIsAdmin();
  const ownId = useChat((state) => state.ownId);
  const isGuest = useChat((state) => state.people.get(state.ownId)?.is_guest === true);
  const policy = useSetting<number>('realm_user_group_edit_policy', 1);
  const mayCreate = isAdmin || (!isGuest && policy !== BY_ADMINS);
  return { mayCreate, mayEdit: (group: UserGroup) => isAdmin || (mayCreate && group.members.includes(ownId)) };
}

export function Groups() {
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const { mayCreate, mayEdit } = useRights();
  const [openId, setOpenId] = useState<number>();
  return (
    <>
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
                size="compact-sm"
                variant="default"
                aria-label={t('groups.show', { name: group.name })}
                aria-expanded={openId === group.id}
                onClick={() => setOpenId(openId === group.id ? undefined : group.id)}
              >
                {t('groups.details')}
              </Button>
              {openId === group.id && <Group key={group.id} group={group} mayEdit={mayEdit(group)} />}
            </li>
          ))}
        </ul>
      </Section>
      {mayCreate && <NewGroup />}
    </>
  );
}

function Group({ group, mayEdit }: { group: UserGroup; mayEdit: boolean }) {
  const { isBusy, run } = useWork();
  return (
    <div>
      <GroupMembers group={group} mayEdit={mayEdit} />
      {mayEdit && (
        <>
          <GroupForm
            known={group}
            button={t('action.save')}
            save={(fields) => run(() => api.patch(`/user_groups/${group.id}`, { ...fields }))}
          />
          <SureButton
            mt="xs"
            size="compact-sm"
            loading={isBusy}
            onSure={() => void run(() => api.remove(`/user_groups/${group.id}`))}
          >
            {t('groups.remove')}
          </SureButton>
        </>
      )}
    </div>
  );
}

function NewGroup() {
  const ownId = useChat((state) => state.ownId);
  const { run } = useWork();
  const [made, setMade] = useState(0);
  const create = async (fields: Fields): Promise<boolean> => {
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

interface Fields {
  readonly name: string;
  readonly description: string;
}

interface GroupFormProps {
  readonly known: Fields;
  readonly button: string;
  readonly save: (fields: Fields) => Promise<boolean>;
}

function GroupForm({ known, button, save }: GroupFormProps) {
  const [name, setName] = useState(known.name);
  const [description, setDescription] = useState(known.description);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await save({ name: name.trim(), description: description.trim() });
    setBusy(false);
  };
  const isSame = name === known.name && description === known.description;
  return (
    <form className={forms.form} onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('groups.name')}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('groups.description')}
        value={description}
        maxLength={1024}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} disabled={name.trim() === '' || isSame}>
        {button}
      </Button>
    </form>
  );
}
