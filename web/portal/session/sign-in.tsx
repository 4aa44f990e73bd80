/** The portal's sign-in page: password, mailed link, API key, demo contacts. */
import { useState } from 'react';
import { DemoPeople, SignInCard } from '../../shared/session/sign-in';
import { t, type TextKey } from '../../shared/texts/texts';
import { LanguageSelect } from '../../shared/ui/language-select';
import { KeyForm, LinkForm, PasswordForm } from './sign-in-forms';
import { signIn, useSession, type SignedOut } from './session';
import classes from '../../shared/session/sign-in.module.css';

type Way = 'password' | 'link' | 'key';
const WAYS: Readonly<Record<Way, TextKey>> = {
  password: 'portal.byPassword',
  link: 'portal.byLink',
  key: 'portal.byKey',
};

export function SignIn({ session }: { session: SignedOut }) {
  const hasEnded = useSession((state) => state.hasEnded);
  const [way, setWay] = useState<Way>('password');
  const others = (Object.keys(WAYS) as Way[]).filter((each) => each !== way && (each !== 'link' || session.sends_mail));
  return (
    <SignInCard
      title={t('portal.title')}
      hint={t(hasEnded ? 'portal.ended' : 'portal.welcome')}
      places={<LanguageSelect isSmall />}
    >
      {way === 'password' && <PasswordForm />}
      {way === 'link' && <LinkForm />}
      {way === 'key' && <KeyForm />}
      <div className={classes.ways}>
        {others.map((each) => (
          <button key={each} type="button" onClick={() => setWay(each)}>
            {t(WAYS[each])}
          </button>
        ))}
      </div>
      <DemoPeople
        people={(session.demo_contacts ?? []).map(({ id, name, company }) => ({ id, name, of: company }))}
        enter={(id) => signIn({ demo: id })}
      />
    </SignInCard>
  );
}
