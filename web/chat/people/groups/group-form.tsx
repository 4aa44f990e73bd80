/** The name and the description of a group. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../../shared/texts/texts';
import forms from '../../../shared/forms/form.module.css';

export interface GroupFields {
  readonly name: string;
  readonly description: string;
}

interface GroupFormProps {
  readonly known: GroupFields;
  readonly button: string;
  readonly save: (fields: GroupFields) => Promise<boolean>;
}

export function GroupForm({ known, button, save }: GroupFormProps) {
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
