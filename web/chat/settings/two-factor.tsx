/** Turns the second factor on, with a code of the authenticator, and off. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { request } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import { QrCode } from '../../shared/ui/qr-code';
import { loadSession, useSession } from '../session/session';
import { Section } from '../../shared/forms/section';
import { useWork } from './use-work';
import forms from '../../shared/forms/form.module.css';

export function TwoFactor() {
  const factor = useSession(({ session }) => (session?.signed_in ? session.two_factor : undefined));
  if (!factor) return null;
  return (
    <Section title={t('twoFactor.title')} hint={t(factor.on ? 'twoFactor.isOn' : 'twoFactor.hint')}>
      {factor.on ? <TurnOff /> : <TurnOn />}
    </Section>
  );
}

interface Secret {
  readonly secret: string;
  readonly uri: string;
}

function TurnOn() {
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [code, setCode] = useState('');
  const { isBusy, run } = useWork();
  const begin = (): void => void run(async () => setSecret(await request<Secret>('POST', '/web/two-factor')), '');
  const confirm = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(async () => {
      const json = { code: code.replaceAll(' ', '') };
      const answer = await request<{ recovery_codes: string[] }>('POST', '/web/two-factor/confirm', { json });
      setCodes(answer.recovery_codes);
    }, '');
  };
  if (codes.length > 0) {
    return (
      <div className={forms.form}>
        <p>{t('twoFactor.recovery')}</p>
        <code className={forms.code}>{codes.join('\n')}</code>
        <Button onClick={() => void loadSession()}>{t('twoFactor.kept')}</Button>
      </div>
    );
  }
  if (!secret) {
    return (
      <Button variant="default" loading={isBusy} onClick={begin}>
        {t('twoFactor.begin')}
      </Button>
    );
  }
  return (
    <form className={forms.form} onSubmit={confirm}>
      <p>{t('twoFactor.enter')}</p>
      <QrCode text={secret.uri} label={t('twoFactor.picture')} />
      <code className={forms.code}>{secret.secret}</code>
      <a href={secret.uri}>{t('twoFactor.open')}</a>
      <TextInput
        label={t('signIn.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} disabled={code === ''}>
        {t('twoFactor.confirm')}
      </Button>
    </form>
  );
}

function TurnOff() {
  const [password, setPassword] = useState('');
  const { isBusy, run } = useWork();
  const turnOff = (event: SyntheticEvent): void => {
    event.preventDefault();
    void run(async () => {
      await request('DELETE', '/web/two-factor', { json: { password } });
      await loadSession();
    });
  };
  return (
    <form className={forms.form} onSubmit={turnOff}>
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isBusy} disabled={password === ''}>
        {t('twoFactor.turnOff')}
      </Button>
    </form>
  );
}
