/** Shared by the sign-in pages of chat, portal and console: card, form, fields, demo accounts. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { FormError } from '../forms/section';
import { messageOf } from '../http/message-of';
import { RequestError } from '../http/request';
import { t } from '../texts/texts';
import { Mark } from '../ui/mark';
import { PersonRow } from '../ui/person-row';
import classes from './sign-in.module.css';

interface SignInCardProps {
  readonly title: string;
  /** Above the title, in place of the product's mark. */
  readonly mark?: ReactNode;
  readonly hint?: string;
  /** An earlier error. */
  readonly error?: string;
  readonly children: ReactNode;
  /** Shown below the card. */
  readonly places?: ReactNode;
}

export function SignInCard({ title, mark = <Mark size={48} />, hint, error = '', children, places }: SignInCardProps) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        {mark}
        <h1 className={classes.title}>{title}</h1>
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
        <FormError text={error} />
        {children}
      </div>
      {places !== undefined && <footer className={classes.places}>{places}</footer>}
    </main>
  );
}

interface SignInFormProps {
  readonly send: () => Promise<unknown>;
  /** Overrides the server's message for an error code. An empty text shows nothing. */
  readonly wordsOf: (code: string) => string | undefined;
  readonly submit: string;
  readonly children: ReactNode;
}

/** A form that sends something and shows errors. */
export function SignInForm({ send, wordsOf, submit, children }: SignInFormProps) {
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const onSubmit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await send();
    } catch (caught) {
      setError(wordsOf(caught instanceof RequestError ? caught.code : '') ?? messageOf(caught));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void onSubmit(event)} className={classes.form}>
      {children}
      <FormError text={error} />
      <Button type="submit" loading={isBusy} fullWidth>
        {submit}
      </Button>
    </form>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const EmailField = ({ value, onChange }: FieldProps) => (
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

interface SecretFieldProps extends FieldProps {
  readonly label: string;
  readonly description?: string;
  readonly autoComplete?: string;
  /** The label of the button that reveals the input. */
  readonly show?: string;
}

export const SecretField = ({ label, description, autoComplete, show, value, onChange }: SecretFieldProps) => (
  <PasswordInput
    label={label}
    description={description}
    autoComplete={autoComplete ?? 'current-password'}
    required
    withAsterisk={false}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    visibilityToggleButtonProps={{ 'aria-label': show ?? t('signIn.showPassword') }}
  />
);

interface DemoPerson {
  readonly id: string;
  readonly name: string;
  /** Their email address or company. */
  readonly of: string;
}

/** Demo accounts of a development server, which anybody may use. */
export function DemoPeople(props: {
  readonly people: readonly DemoPerson[];
  readonly enter: (id: string) => Promise<unknown>;
}) {
  const { people, enter } = props;
  const [error, setError] = useState('');
  if (people.length === 0) return null;
  return (
    <section aria-label={t('signIn.demo')} className={classes.demo}>
      <h2>{t('signIn.demo')}</h2>
      <ul>
        {people.map(({ id, name, of }, index) => (
          <li key={id}>
            <button type="button" onClick={() => void enter(id).catch((each: unknown) => setError(messageOf(each)))}>
              <PersonRow name={name} id={index + 1} address={of} size={32} isNarrow />
            </button>
          </li>
        ))}
      </ul>
      <FormError text={error} />
    </section>
  );
}
