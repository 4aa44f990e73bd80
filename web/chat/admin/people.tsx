/** User administration: invite, change roles, deactivate. */
import { Button, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useMemo, useState, type SyntheticEvent } from 'react';
import { Virtualizer } from 'virtua';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useChat } from '../data/store';
import type { Person } from '../data/wire';
import { PersonRow } from '../people/person-row';
import { type RoleName, roleOf, ROLES, rolesToGive } from './roles';
import { Section } from '../../shared/forms/section';
import { SureButton } from '../settings/sure-button';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

export function People() {
  return (
    <>
      <PeopleList />
      <NewPerson />
    </>
  );
}

function NewPerson() {
  const [fields, setFields] = useState({ full_name: '', email: '', password: '' });
  const { isBusy, run } = useWork();
  const set = (name: keyof typeof fields) => (event: SyntheticEvent<HTMLInputElement>) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => api.post('/users', fields), t('people.added')))
      setFields({ full_name: '', email: '', password: '' });
  };
  return (
    <Section title={t('people.add')} hint={t('people.addHint')}>
      <form className={forms.form} onSubmit={(event) => void create(event)}>
        <TextInput label={t('profile.name')} value={fields.full_name} onChange={set('full_name')} />
        <TextInput label={t('signIn.email')} type="email" value={fields.email} onChange={set('email')} />
        <PasswordInput
          label={t('people.password')}
          autoComplete="new-password"
          value={fields.password}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          onChange={set('password')}
        />
        <Button type="submit" loading={isBusy} disabled={Object.values(fields).some((value) => value.trim() === '')}>
          {t('people.addButton')}
        </Button>
      </form>
    </Section>
  );
}

function PeopleList() {
  const people = useChat((state) => state.people);
  const inactive = useChat((state) => state.inactive);
  const [filter, setFilter] = useState('');
  const [isWithInactive, setWithInactive] = useState(false);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const found = [...people.values()].filter(
      ({ user_id, full_name, email, is_bot }) =>
        !is_bot && inactive.has(user_id) === isWithInactive && `${full_name} ${email}`.toLowerCase().includes(wanted),
    );
    return found.sort((a, b) => a.full_name.localeCompare(b.full_name));
  }, [people, inactive, filter, isWithInactive]);
  return (
    <Section>
      <div className={forms.actions}>
        <TextInput
          aria-label={t('people.filter')}
          placeholder={t('people.filter')}
          value={filter}
          className={classes.grow}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Switch
          label={t('people.deactivated')}
          checked={isWithInactive}
          onChange={(event) => setWithInactive(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.longList}>
        <Virtualizer data={shown}>
          {(person) => <Entry key={person.user_id} person={person} isInactive={inactive.has(person.user_id)} />}
        </Virtualizer>
      </div>
    </Section>
  );
}

function Entry({ person, isInactive }: { person: Person; isInactive: boolean }) {
  const own = useChat((state) => state.people.get(state.ownId));
  const path = `/users/${person.user_id}`;
  const role = roleOf(person);
  const roles = rolesToGive(own);
  // Nobody changes themselves, and only owners change owners.
  const isBeyond = person.user_id === own?.user_id || !roles.includes(role);
  const setRole = (to: string | null): void =>
    tell(api.patch(path, { role: ROLES[to as RoleName] }), t('settings.saved'));
  return (
    <div className={classes.entry}>
      <span className={classes.grow}>
        <PersonRow person={person} size={36} />
      </span>
      <Select
        size="xs"
        w={130}
        aria-label={t('people.roleOf', { name: person.full_name })}
        data={(isBeyond ? [role] : roles).map((value) => ({ value, label: t(`role.${value}`) }))}
        value={role}
        disabled={isInactive || isBeyond}
        allowDeselect={false}
        onChange={setRole}
      />
      {isInactive ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => tell(api.post(`${path}/reactivate`), t('settings.saved'))}
        >
          {t('people.reactivate')}
        </Button>
      ) : (
        <SureButton size="compact-sm" disabled={isBeyond} onSure={() => tell(api.remove(path), t('settings.saved'))}>
          {t('people.deactivate')}
        </SureButton>
      )}
    </div>
  );
}
