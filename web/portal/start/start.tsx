/** The first page: what is to be done, how the PBXs are, and what waits to be read. */
import { Link } from 'wouter';
import { Section } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { useSignedIn } from '../session/session';
import { unreadTotal, useInbox } from '../texting/inbox';
import { NextSteps } from './next-steps';
import { PbxCards } from './pbx-cards';
import { OwnExtensions } from './own-extensions';
import classes from './start.module.css';

export function Start() {
  const { is_owner: isOwner, first_name: firstName } = useSignedIn();
  const unread = useInbox(unreadTotal);
  return (
    <>
      <p>{t('portal.hello', { name: firstName })}</p>
      {isOwner && <NextSteps />}
      <OwnExtensions />
      {isOwner && <PbxCards />}
      <Section title={t('portal.texting')}>
        <div className={classes.cards}>
          <Link href="/texting" className={classes.card}>
            {unread === 0 ? t('portal.allRead') : t('portal.unreadTexts', { count: unread })}
          </Link>
        </div>
      </Section>
    </>
  );
}
