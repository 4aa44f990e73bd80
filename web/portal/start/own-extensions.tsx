/** The extensions of whoever has signed in. */
import { Link } from 'wouter';
import { FormError, Section } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import type { Extension } from '../wire';
import classes from './start.module.css';

export function OwnExtensions() {
  const { contact_id: ownId } = useSignedIn();
  const own = useLoaded('own', () => api.list<Extension>(`/account/${ownId}/extensions`));
  if (own.error !== '') return <FormError text={own.error} />;
  if (!own.value || own.value.items.length === 0) return null;
  return (
    <Section title={t('portal.ownExtensions')}>
      <div className={classes.cards}>
        {own.value.items.map(({ _id: id, data, pbx, subscriber }) => (
          <Link key={id} href={`/extensions/${pbx}`} className={classes.card}>
            <b>{data.id}</b>
            <span>{data.name}</span>
            <small>{t(`portal.phone.${subscriber.state}`)}</small>
          </Link>
        ))}
      </div>
    </Section>
  );
}
