/** Sign-in methods: whether a second factor is required, and external identity providers. */
import { Button, Switch, TagsInput, TextInput } from '@mantine/core';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell, toast } from '../../shared/ui/toasts';
import { Section } from '../../shared/forms/section';
import { SureButton } from '../settings/sure-button';
import { useWork } from '../settings/use-work';
import forms from '../../shared/forms/form.module.css';
import classes from '../settings/settings.module.css';

interface Provider {
  readonly name: string;
  readonly display_name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly domains: readonly string[];
  readonly creates_accounts: boolean;
}

const NEW: Provider = { name: '', display_name: '', issuer: '', client_id: '', domains: [], creates_accounts: false };

export function SignInMethods() {
  return (
    <>
      <Section title={t('methods.rules')} hint={t('methods.rulesHint')}>
        <TwoFactorRule />
      </Section>
      <Providers />
    </>
  );
}

function TwoFactorRule() {
  const [isRequired, setRequired] = useState<boolean>();
  useEffect(() => {
    request<{ two_factor_required: boolean }>('GET', '/web/sign-in-rules').then(
      (answer) => setRequired(answer.two_factor_required),
      (error: unknown) => toast(messageOf(error), true),
    );
  }, []);
  const change = async (two_factor_required: boolean): Promise<void> => {
    await request('PATCH', '/web/sign-in-rules', { json: { two_factor_required } });
    setRequired(two_factor_required);
  };
  if (isRequired === undefined) return <div aria-busy="true" />;
  return (
    <Switch
      label={t('methods.twoFactor')}
      checked={isRequired}
      onChange={(event) => tell(change(event.currentTarget.checked))}
    />
  );
}

function Providers() {
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const [edited, setEdited] = useState<Provider>();
  const load = async (): Promise<void> => {
    const answer = await request<{ providers: Provider[] }>('GET', '/web/openid-providers');
    setProviders(answer.providers);
  };
  useEffect(() => tell(load()), []);
  const remove = async (name: string): Promise<void> => {
    await request('DELETE', `/web/openid-providers/${name}`);
    await load();
  };
  const onSaved = (): void => {
    setEdited(undefined);
    tell(load());
  };
  return (
    <Section title={t('methods.openid')} hint={t('methods.openidHint')}>
      <ul className={classes.list}>
        {providers.map((provider) => (
          <li key={provider.name}>
            <span className={classes.grow}>
              {provider.display_name}
              <small>{provider.issuer}</small>
            </span>
            <Button size="compact-sm" variant="default" onClick={() => setEdited(provider)}>
              {t('action.edit')}
            </Button>
            <SureButton size="compact-sm" onSure={() => tell(remove(provider.name))}>
              {t('action.remove')}
            </SureButton>
          </li>
        ))}
      </ul>
      {edited ? (
        <ProviderForm key={edited.name} provider={edited} onSaved={onSaved} onCancel={() => setEdited(undefined)} />
      ) : (
        <Button variant="light" onClick={() => setEdited(NEW)}>
          {t('methods.add')}
        </Button>
      )}
    </Section>
  );
}

interface ProviderFormProps {
  readonly provider: Provider;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

function ProviderForm({ provider, onSaved, onCancel }: ProviderFormProps) {
  const [fields, setFields] = useState({ ...provider, client_secret: '' });
  const { isBusy, run } = useWork();
  const isNew = provider.name === '';
  const set = (name: keyof typeof fields) => (event: SyntheticEvent<HTMLInputElement>) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const { name, ...json } = fields;
    if (await run(() => request('PUT', `/web/openid-providers/${encodeURIComponent(name)}`, { json }))) onSaved();
  };
  const callback = `${location.origin}/web/openid/${fields.name || '…'}/callback`;
  const isComplete = [fields.name, fields.display_name, fields.issuer, fields.client_id].every((text) => text !== '');
  return (
    <form className={forms.form} onSubmit={(event) => void save(event)}>
      <TextInput
        label={t('methods.name')}
        description={t('methods.nameHint')}
        value={fields.name}
        disabled={!isNew}
        maxLength={30}
        onChange={set('name')}
      />
      <TextInput
        label={t('methods.displayName')}
        value={fields.display_name}
        maxLength={50}
        onChange={set('display_name')}
      />
      <TextInput
        label={t('methods.issuer')}
        placeholder="https://login.example.com"
        type="url"
        value={fields.issuer}
        onChange={set('issuer')}
      />
      <TextInput label={t('methods.clientId')} value={fields.client_id} onChange={set('client_id')} />
      <TextInput
        label={t('methods.clientSecret')}
        description={isNew ? undefined : t('methods.secretHint')}
        type="password"
        autoComplete="off"
        value={fields.client_secret}
        onChange={set('client_secret')}
      />
      <TagsInput
        label={t('methods.domains')}
        description={t('methods.domainsHint')}
        value={[...fields.domains]}
        onChange={(domains) => setFields({ ...fields, domains })}
      />
      <Switch
        label={t('methods.createsAccounts')}
        checked={fields.creates_accounts}
        onChange={(event) => setFields({ ...fields, creates_accounts: event.currentTarget.checked })}
      />
      <p>{t('methods.callback')}</p>
      <code className={forms.code}>{callback}</code>
      <div className={forms.actions}>
        <Button type="submit" loading={isBusy} disabled={!isComplete}>
          {t('action.save')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </form>
  );
}
