/** Changes how a far end is connected. Stored secrets are never shown, and stay if nothing is typed. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../shared/forms/section';
import { useForm, type Values } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { ops } from '../data/api';
import { useLive } from '../data/use-live';
import { Trouble } from '../shell/parts';
import { ConnectedNote } from './connected-note';
import { emptyFields, FieldInputs, inputName, sentFields } from './field-inputs';
import { pathOf, type Connected, type FarEnd, type FarEndForm, type Field } from './wire';
import forms from '../../shared/forms/form.module.css';

interface Kept {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface ChangeDialogProps {
  readonly farEnd: FarEnd;
  readonly form: FarEndForm;
  readonly onClose: () => void;
  readonly after: () => void;
}

/** It must not change while somebody types. */
const NEVER_MS = 86_400_000;

export function ChangeDialog({ farEnd, form, onClose, after }: ChangeDialogProps) {
  const { answer: kept, error } = useLive<Kept>(pathOf(farEnd), {}, NEVER_MS);
  const [connected, setConnected] = useState<Connected>();
  const title = t('farEnd.changeOf', { name: farEnd.name });
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Trouble error={error} />
      {connected && <ConnectedNote connected={connected} form={form} onClose={onClose} after={after} />}
      {kept && !connected && (
        <ChangeForm
          farEnd={farEnd}
          kept={kept}
          fields={fieldsOf(form, kept)}
          onChanged={(next) => {
            setConnected(next);
            after();
          }}
        />
      )}
    </Dialog>
  );
}

/** Without what is fixed once it is connected. */
const fieldsOf = ({ types }: FarEndForm, { type, fields: values }: Kept): readonly Field[] =>
  (types.find((each) => each.type === type)?.fields ?? []).filter(
    ({ name, kind }) => kind === 'secret' || name in values,
  );

interface ChangeFormProps {
  readonly farEnd: FarEnd;
  readonly kept: Kept;
  readonly fields: readonly Field[];
  readonly onChanged: (connected: Connected) => void;
}

function ChangeForm({ farEnd, kept, fields, onChanged }: ChangeFormProps) {
  const stored = Object.fromEntries(Object.entries(kept.fields).map(([name, value]) => [inputName(name), value]));
  const form = useForm<Values>({ ...emptyFields(fields), ...stored });
  const save = form.submit(async (values) => {
    onChanged(await ops.patch<Connected>(pathOf(farEnd), { fields: sentFields(fields, values) }));
  });
  return (
    <form className={forms.form} onSubmit={save} noValidate>
      <FieldInputs type={kept.type} fields={fields} form={form} isStored />
      <FormError text={form.error} />
      <div className={forms.actions}>
        <Button type="submit" loading={form.isBusy}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
