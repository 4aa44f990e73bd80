/** A field for people to add to a stream, by their addresses. */
import { MultiSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { useChat } from '../data/store';
import { PersonRow } from '../people/person-row';

interface PeopleFieldProps {
  /** Addresses that are not offered. */
  readonly without: readonly string[];
  /** Whether its name stands above it, as in forms. */
  readonly hasLabel?: boolean;
  readonly value: string[];
  readonly onChange: (emails: string[]) => void;
  readonly className?: string | undefined;
}

export function PeopleField({ without, hasLabel = false, value, onChange, className }: PeopleFieldProps) {
  const people = useChat((state) => state.people);
  const [isOpen, setOpen] = useState(false);
  const inactive = useChat((state) => state.inactive);
  const data = useMemo(() => {
    const left = new Set(without);
    return [...people.values()]
      .filter(({ email, user_id }) => !left.has(email) && !inactive.has(user_id))
      .map(({ email, full_name }) => ({ value: email, label: `${full_name} (${email})` }));
  }, [people, inactive, without]);
  const byAddress = useMemo(() => new Map([...people.values()].map((each) => [each.email, each])), [people]);
  return (
    <MultiSelect
      {...(hasLabel ? { label: t('directory.addPeople') } : { 'aria-label': t('directory.addPeople') })}
      placeholder={hasLabel ? '' : t('directory.addPeople')}
      data={data}
      value={value}
      searchable
      limit={50}
      // Enter chooses the best match, and the list does not stay over what is below.
      selectFirstOptionOnChange
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      renderOption={({ option }) => {
        const person = byAddress.get(option.value);
        return person ? <PersonRow person={person} size={24} /> : option.label;
      }}
      onChange={(emails) => {
        setOpen(false);
        onChange(emails);
      }}
      {...(className !== undefined && { className })}
    />
  );
}
