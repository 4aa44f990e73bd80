/** Address, password, second factor and API key. */
import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { api } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { useChat, useIsAdmin, useSetting } from '../data/store';
import { useSession } from '../session/session';
import { Section } from '../../shared/forms/section';
import { SureButton } from './sure-button';
import { TwoFactor } from './two-factor';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';

export function Account() {
  const signedInAs = useSession(({ session }) => (session?.signed_in ? session.email : ''));
  // It may have changed since.
  const email = useChat((state) => state.people.get(state.ownId)?.email ?? signedInAs);
  return (
    <>
      <EmailForm email={email} />
      <PasswordForm />
      <TwoFactor />
      <ReadReceipts />
      <ApiKey />
    </>
  );
}

/** A mail to the new address confirms it. */
function EmailForm({ email: known }: { email: string }) {
  const [email, setEmail] = useState('');
  const isAdmin = useIsAdmin();
  const isDisabled = useSetting('realm_email_changes_disabled', false) && !isAdmin;
  const { isBusy, run } = useWork();
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => api.patch('/settings', { email: email.trim() }), t('account.emailSent'))) setEmail('');
  };
  return (
    <Section title={t('account.email')}>
      <p>{known}</p>
      {!isDisabled && (
        <form className={forms.form} onSubmit={(event) => void save(event)}>
          <TextInput
            type="email"
            label={t('account.newEmail')}
            description={t('account.newEmailHint')}
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={isBusy} disabled={email.trim() === ''}>
            {t('account.changeEmail')}
          </Button>
        </form>
      )}
    </Section>
  );
}

function PasswordForm() {
  const [before, setBefore] = useState('');
  const [after, setAfter] = useState('');
  const { isBusy, run } = useWork();
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const isDone = await run(() => api.patch('/settings', { old_password: before, new_password: after }));
    if (!isDone) return;
    setBefore('');
    setAfter('');
  };
  const toggle = { 'aria-label': t('signIn.showPassword') };
  return (
    <Section title={t('account.password')} hint={t('account.passwordHint')}>
      <form className={forms.form} onSubmit={(event) => void save(event)}>
        <PasswordInput
          label={t('account.oldPassword')}
          autoComplete="current-password"
          value={before}
          visibilityToggleButtonProps={toggle}
          onChange={(event) => setBefore(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('account.newPassword')}
          autoComplete="new-password"
          value={after}
          visibilityToggleButtonProps={toggle}
          onChange={(event) => setAfter(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy} disabled={before === '' || after === ''}>
          {t('account.changePassword')}
        </Button>
      </form>
    </Section>
  );
}

function ReadReceipts() {
  const isOn = useSetting('send_read_receipts', true);
  const set = (send_read_receipts: boolean): void => {
    useChat.setState(({ settings }) => ({ settings: { ...settings, send_read_receipts } }));
    tell(api.patch('/settings', { send_read_receipts }));
  };
  return (
    <Section>
      <Switch label={t('account.readReceipts')} checked={isOn} onChange={(event) => set(event.currentTarget.checked)} />
    </Section>
  );
}

/** The key is shown once and not stored. */
function ApiKey() {
  const [key, setKey] = useState('');
  const { isBusy, run } = useWork();
  const renew = (): void =>
    void run(async () => setKey((await api.post<{ api_key: string }>('/users/me/api_key/regenerate')).api_key), '');
  return (
    <Section title={t('account.key')} hint={t('account.keyHint')}>
      {key !== '' && <code className={forms.code}>{key}</code>}
      <SureButton loading={isBusy} onSure={renew} mt="xs">
        {t('account.newKey')}
      </SureButton>
    </Section>
  );
}
