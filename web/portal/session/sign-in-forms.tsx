/** The three ways to sign in. */
import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { RequestError } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { signIn, type Choice } from './session';
import classes from '../../shared/style/sign-in.module.css';

const toggle = () => ({ 'aria-label': t('signIn.showPassword') });

/** A form that sends something, and says what went wrong. */
function WayForm({ send, submit, children }: { send: () => Promise<void>; submit: string; children: ReactNode }) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await send();
    } catch (caught) {
      const isWrong = caught instanceof RequestError && caught.code === 'BAD_CREDENTIALS';
      setError(isWrong ? t('portal.wrong') : messageOf(caught));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void onSubmit(event)} className={classes.form}>
      {children}
      {error !== '' && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      <Button type="submit" loading={isBusy} fullWidth>
        {submit}
      </Button>
    </form>
  );
}

const EmailInput = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <TextInput
    label={t('signIn.email')}
    type="email"
    autoComplete="username"
    required
    withAsterisk={false}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

export function PasswordForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [companies, setCompanies] = useState<Choice['companies']>([]);
  const [company, setCompany] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    const chosen = company === null ? {} : { company_id: company };
    setCompanies(await signIn({ email: email.trim(), password, ...chosen }));
  };
  return (
    <WayForm send={send} submit={t('signIn.submit')}>
      <EmailInput value={email} onChange={setEmail} />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={toggle()}
      />
      {companies.length > 0 && (
        <Select
          label={t('portal.whichCompany')}
          data={companies.map(({ id, name }) => ({ value: id, label: name }))}
          value={company}
          onChange={setCompany}
          required
          withAsterisk={false}
        />
      )}
    </WayForm>
  );
}

export function LinkForm() {
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const send = async (): Promise<void> => {
    await api.post('/portal/api/entry-links', { email: email.trim() });
    setSent(true);
  };
  if (isSent) return <p role="status">{t('portal.linkSent', { email: email.trim() })}</p>;
  return (
    <WayForm send={send} submit={t('portal.sendLink')}>
      <EmailInput value={email} onChange={setEmail} />
    </WayForm>
  );
}

export function KeyForm() {
  const [key, setKey] = useState('');
  const send = async (): Promise<void> => void (await signIn({ key: key.trim() }));
  return (
    <WayForm send={send} submit={t('signIn.submit')}>
      <PasswordInput
        label={t('portal.key')}
        description={t('portal.keySignInHint')}
        autoComplete="off"
        required
        withAsterisk={false}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
        visibilityToggleButtonProps={toggle()}
      />
    </WayForm>
  );
}
