/** The frame of the portal: navigation and the chosen page. */
import { VisuallyHidden } from '@mantine/core';
import { Suspense, useEffect, type ComponentType } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { lazyPart, loadPart } from '../../shared/lazy-part';
import { t, type TextKey } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { tell } from '../../shared/ui/toasts';
import { Account } from '../access/account';
import { signOut, useSignedIn } from '../session/session';
import { unreadTotal, useInbox } from '../texting/inbox';
import classes from './shell.module.css';

interface Part {
  readonly title: TextKey;
  readonly icon: IconName;
  readonly body: ComponentType;
  readonly isForOwners?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  extensions: {
    title: 'portal.extensions',
    icon: 'all',
    body: lazyPart(() => import('../extensions/extensions'), 'Extensions'),
  },
  bulk: { title: 'portal.bulk', icon: 'file', body: lazyPart(() => import('../bulk/bulk'), 'Bulk') },
  texting: { title: 'portal.texting', icon: 'inbox', body: lazyPart(() => import('../texting/texting'), 'Texting') },
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

/** On a narrow screen the navigation is one line that scrolls. */
const showInNav = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Follows texts on every page of the portal. */
function useLiveTexts(): void {
  useEffect(() => {
    let end: (() => void) | undefined;
    let isOver = false;
    void loadPart(() => import('../texting/live')).then(({ follow }) => {
      if (!isOver) end = follow();
    });
    return () => {
      isOver = true;
      end?.();
    };
  }, []);
}

export function Shell() {
  useLiveTexts();
  return (
    <Router base="/portal">
      <Frame />
    </Router>
  );
}

function Frame() {
  const { has_password: hasPassword } = useSignedIn();
  const [location] = useLocation();
  const [, chosen = ''] = location.split('/');
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('portal.skip')}
      </a>
      <Side chosen={chosen} />
      <main className={classes.main} id="main" tabIndex={-1}>
        {!hasPassword && chosen !== 'account' && (
          <p className={classes.note}>
            {t('portal.noPassword')} <Link href="/account">{t('portal.choosePassword')}</Link>
          </p>
        )}
        <Suspense fallback={<div aria-busy="true" />}>
          <Switch>
            {Object.entries(PARTS).map(([path, { title, body: Body, isForOwners }]) => (
              <Route key={path} path={`/${path}/*?`}>
                <Title text={t(title)} />
                {isForOwners === true ? <OwnersOnly body={Body} /> : <Body />}
              </Route>
            ))}
            <Route>
              <Redirect to="/extensions" replace />
            </Route>
          </Switch>
        </Suspense>
      </main>
    </div>
  );
}

/** Also sets the document title, for the tab and the browser history. */
function Title({ text }: { text: string }) {
  const { company } = useSignedIn();
  useEffect(() => {
    document.title = `${text} · ${company.name} · ${t('portal.title')}`;
  }, [text, company.name]);
  return <h1>{text}</h1>;
}

function OwnersOnly({ body: Body }: { body: ComponentType }) {
  return useSignedIn().is_owner ? <Body /> : <p role="note">{t('portal.ownersOnly')}</p>;
}

function Side({ chosen }: { chosen: string }) {
  const { company, first_name, last_name, is_owner: isOwner } = useSignedIn();
  const unread = useInbox(unreadTotal);
  return (
    <div className={classes.side}>
      <div className={classes.company}>{company.name}</div>
      <nav className={classes.nav} aria-label={t('portal.title')}>
        <ul>
          {Object.entries(PARTS).map(([path, { title, icon }]) => (
            <li key={path}>
              <Link
                href={`/${path}`}
                aria-current={path === chosen ? 'page' : undefined}
                ref={path === chosen ? showInNav : undefined}
              >
                <Icon name={icon} size={16} />
                {t(title)}
                {path === 'texting' && unread > 0 && (
                  <>
                    <span className={classes.count} aria-hidden="true">
                      {unread}
                    </span>{' '}
                    <VisuallyHidden>{t('portal.unread', { count: unread })}</VisuallyHidden>
                  </>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.own}>
        <span>
          {first_name} {last_name}
          <small>{t(isOwner ? 'portal.owner' : 'portal.member')}</small>
        </span>
        <IconButton icon="door" label={t('own.signOut')} onClick={() => tell(signOut())} />
      </div>
    </div>
  );
}
