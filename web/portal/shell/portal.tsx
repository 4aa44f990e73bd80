/** The frame of the portal: navigation and the chosen page. */
import { Suspense, useEffect, type ComponentType } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { lazyPart, loadPart } from '../../shared/lazy-part';
import { NavEntry, Owner } from '../../shared/shell/nav';
import { Page } from '../../shared/shell/page';
import { Shell } from '../../shared/shell/shell';
import { SideBar } from '../../shared/shell/side-bar';
import { t, type TextKey } from '../../shared/texts/texts';
import type { IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { Note } from '../../shared/ui/note';
import { tell } from '../../shared/ui/toasts';
import { Account } from '../access/account';
import { signOut, useSignedIn } from '../session/session';
import { unreadTotal, useInbox } from '../texting/inbox';
import nav from '../../shared/shell/nav.module.css';

interface Part {
  readonly title: TextKey;
  readonly icon: IconName;
  readonly body: ComponentType;
  readonly isForOwners?: boolean;
  readonly isFilled?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  start: { title: 'portal.start', icon: 'check', body: lazyPart(() => import('../start/start'), 'Start') },
  extensions: {
    title: 'portal.extensions',
    icon: 'all',
    body: lazyPart(() => import('../extensions/extensions'), 'Extensions'),
  },
  groups: { title: 'portal.groups', icon: 'users', body: lazyPart(() => import('../groups/groups'), 'Groups') },
  numbers: { title: 'portal.numbers', icon: 'hash', body: lazyPart(() => import('../numbers/numbers'), 'Numbers') },
  calls: { title: 'portal.calls', icon: 'phone', body: lazyPart(() => import('../calls/calls'), 'Calls') },
  bulk: { title: 'portal.bulk', icon: 'file', body: lazyPart(() => import('../bulk/bulk'), 'Bulk') },
  texting: {
    title: 'portal.texting',
    icon: 'inbox',
    body: lazyPart(() => import('../texting/texting'), 'Texting'),
    isFilled: true,
  },
  people: { title: 'portal.people', icon: 'users', body: lazyPart(() => import('../company/people'), 'People') },
  locations: {
    title: 'portal.locations',
    icon: 'pin',
    body: lazyPart(() => import('../company/locations'), 'Locations'),
  },
  company: { title: 'portal.company', icon: 'settings', body: lazyPart(() => import('../company/company'), 'Company') },
  keys: {
    title: 'portal.keys',
    icon: 'lock',
    body: lazyPart(() => import('../access/keys'), 'Keys'),
    isForOwners: true,
  },
  webhooks: {
    title: 'portal.webhooks',
    icon: 'link',
    body: lazyPart(() => import('../access/webhooks'), 'Webhooks'),
    isForOwners: true,
  },
  audit: {
    title: 'portal.audit',
    icon: 'history',
    body: lazyPart(() => import('../access/audit'), 'Audit'),
    isForOwners: true,
  },
  account: { title: 'portal.account', icon: 'door', body: Account },
};

/** Follows texts on every page of the portal, and what notifications are clicked. */
function useLiveTexts(): void {
  useEffect(() => {
    const ends: (() => void)[] = [];
    let isOver = false;
    void loadPart(() => import('../texting/live')).then(({ follow, heedPortalPushes }) => {
      if (!isOver) ends.push(follow(), heedPortalPushes());
    });
    return () => {
      isOver = true;
      for (const end of ends) end();
    };
  }, []);
}

export function Portal() {
  useLiveTexts();
  return (
    <Router base="/portal">
      <Frame />
    </Router>
  );
}

function Frame() {
  const { company } = useSignedIn();
  const [location] = useLocation();
  const [, chosen = ''] = location.split('/');
  return (
    <Shell side={<Side chosen={chosen} />}>
      <Switch>
        {Object.entries(PARTS).map(([path, { title, body: Body, isForOwners, isFilled }]) => (
          <Route key={path} path={`/${path}/*?`}>
            <Page title={t(title)} of={`${company.name} · ${t('portal.title')}`} isFilled={isFilled}>
              {path !== 'account' && <PasswordNote />}
              <Suspense fallback={<div aria-busy="true" />}>
                {isForOwners === true ? <OwnersOnly body={Body} /> : <Body />}
              </Suspense>
            </Page>
          </Route>
        ))}
        <Route>
          <Redirect to="/start" replace />
        </Route>
      </Switch>
    </Shell>
  );
}

/** Who signed in with a key may not choose a password, which would outlive the key. */
function PasswordNote() {
  const { has_password: hasPassword, opened_by: openedBy } = useSignedIn();
  if (hasPassword || openedBy === 'key') return null;
  return (
    <Note>
      {t('portal.noPassword')} <Link href="/account">{t('portal.choosePassword')}</Link>
    </Note>
  );
}

function OwnersOnly({ body: Body }: { body: ComponentType }) {
  return useSignedIn().is_owner ? <Body /> : <p role="note">{t('portal.ownersOnly')}</p>;
}

function Side({ chosen }: { chosen: string }) {
  const { company, first_name, last_name, is_owner: isOwner } = useSignedIn();
  const unread = useInbox(unreadTotal);
  const owner = (
    <Owner name={`${first_name} ${last_name}`} note={t(isOwner ? 'portal.owner' : 'portal.member')}>
      <IconButton icon="door" label={t('own.signOut')} onClick={() => tell(signOut())} />
    </Owner>
  );
  return (
    <SideBar name={company.name} label={t('portal.title')} foot={owner}>
      <ul className={nav.list}>
        {Object.entries(PARTS).map(([path, { title, icon }]) => (
          <NavEntry
            key={path}
            href={`/${path}`}
            icon={icon}
            text={t(title)}
            isCurrent={path === chosen}
            unread={path === 'texting' ? unread : 0}
          />
        ))}
      </ul>
    </SideBar>
  );
}
