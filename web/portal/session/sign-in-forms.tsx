/** The three sign-in forms. */
import { Select } from '@mantine/core';
import { useState } from 'react';
import { EmailField, SecretField, SignInForm } from '../../shared/session/sign-in';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { signIn, type Choice } from './session';

const wordsOf = (code: string): string | undefined => (code === 'BAD_CREDENTIALS' ? t('portal.wrong') : undefined);

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
    <SignInForm send={send} wordsOf={wordsOf} submit={t('signIn.submit')}>
      <EmailField value={email} onChange={setEmail} />
      <SecretField label={t('signIn.password')} value={password} onChange={setPassword} />
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
    </SignInForm>
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
    <SignInForm send={send} wordsOf={wordsOf} submit={t('portal.sendLink')}>
      <EmailField value={email} onChange={setEmail} />
    </SignInForm>
  );
}

export function KeyForm() {
  const [key, setKey] = useState('');
  return (
    <SignInForm send={() => signIn({ key: key.trim() })} wordsOf={wordsOf} submit={t('signIn.submit')}>
      <SecretField
        label={t('portal.key')}
        description={t('portal.keySignInHint')}
        autoComplete="off"
        value={key}
        onChange={setKey}
      />
    </SignInForm>
  );
}
