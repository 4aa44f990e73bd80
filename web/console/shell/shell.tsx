/** The frame of the console: navigation, operator and page. */
import { Button } from '@mantine/core';
import { useEffect, type ComponentType } from 'react';
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { t, type TextKey } from '../../shared/texts/texts';
import { Icon, type IconName } from '../../shared/ui/icon';
import { LanguageSelect } from '../../shared/ui/language-select';
import { tell } from '../../shared/ui/toasts';
import { Overview } from '../overview/overview';
import { Queues } from '../queues/queues';
import { signOut, type SignedIn } from '../session/session';
import { Tenants } from '../tenants/tenants';
import { Trail } from '../trail/trail';
import { WorkItemPage } from '../work/work-item';
import { WorkPage } from '../work/work-page';
import { LookOnly } from './parts';
import classes from './shell.module.css';

interface Page {
  readonly path: string;
  readonly title: TextKey;
  readonly icon: IconName;
  readonly body: ComponentType;
  /** Whether the page has actions. */
  readonly hasActions?: boolean;
}

const PAGES: readonly Page[] = [
  { path: '/', title: 'ops.overview', icon: 'eye', body: Overview },
  { path: '/work', title: 'ops.work', icon: 'inbox', body: WorkPage, hasActions: true },
  { path: '/queues', title: 'ops.queues', icon: 'all', body: Queues, hasActions: true },
  { path: '/tenants', title: 'tenant.title', icon: 'users', body: Tenants, hasActions: true },
  { path: '/trail', title: 'ops.trail', icon: 'history', body: Trail },
];

export function Shell({ operator }: { operator: SignedIn }) {
  return (
    <Router base="/ops">
      <div className={classes.shell}>
        <a className={classes.skip} href="#page">
          {t('ops.skip')}
        </a>
        <header className={classes.bar}>
          <Navigation />
          <span className={classes.own}>
            <span>
              {operator.name}
              {operator.access === 'read' && <small>{t('opsAccess.read')}</small>}
            </span>
            <LanguageSelect isSmall />
            <Button size="compact-sm" variant="default" onClick={() => tell(signOut())}>
              {t('own.signOut')}
            </Button>
          </span>
        </header>
        <main id="page" className={classes.page} tabIndex={-1}>
          <Switch>
            <Route path="/work/:work_queue/:id">
              {({ work_queue: workQueue, id }) => <WorkItemPage workQueue={plain(workQueue)} id={plain(id)} />}
            </Route>
            {PAGES.map(({ path, body: Body, title, hasActions }) => (
              <Route key={path} path={path}>
                <Titled title={title}>
                  {hasActions && <LookOnly />}
                  <Body />
                </Titled>
              </Route>
            ))}
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </main>
      </div>
    </Router>
  );
}

/** Job ids contain colons, which are encoded in the URL. A malformed encoding is kept as it is. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function Navigation() {
  const [location] = useLocation();
  const isAt = (path: string): boolean => (path === '/' ? location === '/' : location.startsWith(path));
  return (
    <nav aria-label={t('place.console')} className={classes.nav}>
      {PAGES.map(({ path, title, icon }) => (
        <Link key={path} href={path} aria-current={isAt(path) ? 'page' : undefined}>
          <Icon name={icon} size={16} />
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}

function Titled({ title, children }: { title: TextKey; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${t(title)} · ${t('place.console')}`;
  }, [title]);
  return (
    <>
      <h1>{t(title)}</h1>
      {children}
    </>
  );
}
