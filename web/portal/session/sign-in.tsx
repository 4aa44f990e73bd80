/** The page for people who are not signed in: password, mailed link, API key, demo contacts. */
import { useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { t, type TextKey } from '../../shared/texts/texts';
import { Avatar } from '../../shared/ui/avatar';
import { KeyForm, LinkForm, PasswordForm } from './sign-in-forms';
import { signIn, useSession, type SignedOut } from './session';
import classes from '../../shared/style/sign-in.module.css';

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
    <main className={classes.page}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t('portal.title')}</h1>
        <p className={classes.hint}>{t(hasEnded ? 'portal.ended' : 'portal.welcome')}</p>
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
        <DemoContacts contacts={session.demo_contacts ?? []} />
      </div>
    </main>
  );
}

function DemoContacts({ contacts }: { contacts: NonNullable<SignedOut['demo_contacts']> }) {
  const [error, setError] = useState('');
  if (contacts.length === 0) return null;
  return (
    <section aria-label={t('signIn.demo')} className={classes.demo}>
      <h2>{t('signIn.demo')}</h2>
      <ul>
        {contacts.map(({ id, name, company }, index) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => void signIn({ demo: id }).catch((each: unknown) => setError(messageOf(each)))}
            >
              <Avatar name={name} id={index + 1} size={32} />
              <span>
                <b>{name}</b>
                <small>{company}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {error !== '' && <p role="alert">{error}</p>}
    </section>
  );
}
