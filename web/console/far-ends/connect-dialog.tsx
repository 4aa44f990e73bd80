/** Connects a PBX or a carrier account to a company: whose, which make, what it takes, and a test. */
import { Button, NativeSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../shared/forms/section';
import { useForm, type Values } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { ops } from '../data/api';
import { useLive } from '../data/use-live';
import type { TenantRow } from '../tenants/wire';
import { ConnectedNote } from './connected-note';
import { emptyFields, FieldInputs, sentFields } from './field-inputs';
import type { Connected, FarEndForm } from './wire';
import forms from '../../shared/forms/form.module.css';

interface ConnectDialogProps {
  readonly form: FarEndForm;
  readonly onClose: () => void;
  readonly after: () => void;
}

export function ConnectDialog({ form: wanted, onClose, after }: ConnectDialogProps) {
  const [connected, setConnected] = useState<Connected>();
  return (
    <Dialog opened onClose={onClose} title={t(`farEndConnect.${wanted.kind}`)}>
      {connected ? (
        <ConnectedNote connected={connected} form={wanted} onClose={onClose} after={after} />
      ) : (
        <ConnectForm
          wanted={wanted}
          onConnected={(next) => {
            setConnected(next);
            after();
          }}
        />
      )}
    </Dialog>
  );
}

function ConnectForm({ wanted, onConnected }: { wanted: FarEndForm; onConnected: (connected: Connected) => void }) {
  const [type, setType] = useState(wanted.types[0]!.type);
  const { fields } = wanted.types.find((each) => each.type === type)!;
  const all = wanted.types.flatMap((each) => each.fields);
  const form = useForm<Values>({ tenant: '', type: '', ...emptyFields(all) });
  const connect = form.submit(async (values) => {
    const draft = { tenant: values['tenant'] ?? '', type, fields: sentFields(fields, values) };
    onConnected(await ops.post<Connected>(`/far-ends/${wanted.kind}`, draft));
  });
  return (
    <form className={forms.form} onSubmit={connect} noValidate>
      <CompanySelect {...form.choice('tenant')} />
      <NativeSelect
        label={t('farEnd.type')}
        data={wanted.types.map((each) => each.type)}
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
      />
      <FieldInputs type={type} fields={fields} form={form} />
      <FormError text={form.error} />
      <div className={forms.actions}>
        <Button type="submit" loading={form.isBusy} disabled={form.values['tenant'] === ''}>
          {t('farEnd.connect')}
        </Button>
      </div>
    </form>
  );
}

const MOST = 50;
const SELDOM_MS = 60_000;

interface CompanySelectProps {
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (tenant: string | null) => void;
}

/** The server searches: there may be thousands. */
function CompanySelect(props: CompanySelectProps) {
  const [search, setSearch] = useState('');
  const { answer } = useLive<{ tenants: readonly TenantRow[] }>(
    '/tenants',
    { kind: 'company', limit: MOST, ...(search.trim() !== '' && { search: search.trim() }) },
    SELDOM_MS,
  );
  const found = (answer?.tenants ?? []).map(({ tenant, name }) => ({ value: tenant, label: name }));
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const data = chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={t('tenant.company')}
      searchable
      data={data}
      value={props.value}
      error={props.error}
      nothingFoundMessage={t('tenant.none')}
      onSearchChange={(text) => setSearch(text === chosen?.label ? '' : text)}
      onChange={(value) => {
        setChosen(data.find((each) => each.value === value));
        props.onChange(value);
      }}
    />
  );
}
