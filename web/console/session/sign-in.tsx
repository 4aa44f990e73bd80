/** The console's sign-in page. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DemoPeople, SecretField, SignInCard, SignInForm } from '../../shared/session/sign-in';
import { t } from '../../shared/texts/texts';
import { LanguageSelect } from '../../shared/ui/language-select';
import { signIn, useSession, type SignedOut } from './session';

const wordsOf = (code: string): string | undefined => (code === 'BAD_CREDENTIALS' ? t('ops.wrongKey') : undefined);

export function SignIn({ session }: { session: SignedOut }) {
  const hasEnded = useSession((state) => state.hasEnded);
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  return (
    <SignInCard
      title={t('place.console')}
      hint={t(hasEnded ? 'ops.ended' : 'ops.signInHint')}
      places={<LanguageSelect isSmall />}
    >
      <SignInForm
        send={() => signIn({ name: name.trim(), key: key.trim() })}
        wordsOf={wordsOf}
        submit={t('signIn.submit')}
      >
        <TextInput
          label={t('ops.name')}
          autoComplete="username"
          required
          withAsterisk={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SecretField label={t('ops.key')} show={t('ops.showKey')} value={key} onChange={setKey} />
      </SignInForm>
      <DemoPeople
        people={(session.demo_operators ?? []).map((each) => ({
          id: each.name,
          name: each.name,
          of: t(`opsAccess.${each.access}`),
        }))}
        enter={(demo) => signIn({ demo })}
      />
    </SignInCard>
  );
}
