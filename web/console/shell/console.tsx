/** The frame of the console: navigation, operator and page. */
import type { ComponentType } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { NavEntry, Owner } from '../../shared/shell/nav';
import { Page } from '../../shared/shell/page';
import { Shell } from '../../shared/shell/shell';
import { SideBar } from '../../shared/shell/side-bar';
import { t, type TextKey } from '../../shared/texts/texts';
import type { IconName } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { LanguageSelect } from '../../shared/ui/language-select';
import { tell } from '../../shared/ui/toasts';
import { Operators } from '../operators/operators';
import { Overview } from '../overview/overview';
import { FarEnds } from '../far-ends/far-ends';
import { Queues } from '../queues/queues';
import { signOut, type SignedIn } from '../session/session';
import { Tenants } from '../tenants/tenants';
import { Trail } from '../trail/trail';
import { WorkItemPage } from '../work/work-item';
import { WorkPage } from '../work/work-page';
import { LookOnly } from './parts';
import nav from '../../shared/shell/nav.module.css';

interface Part {
  readonly path: string;
  readonly title: TextKey;
  readonly icon: IconName;
  readonly body: ComponentType;
  /** Whether the page has actions. */
  readonly hasActions?: boolean;
}

const PAGES: readonly Part[] = [
  { path: '/', title: 'ops.overview', icon: 'eye', body: Overview },
  { path: '/work', title: 'ops.work', icon: 'inbox', body: WorkPage, hasActions: true },
  { path: '/connections', title: 'farEnd.title', icon: 'link', body: FarEnds, hasActions: true },
  { path: '/queues', title: 'ops.queues', icon: 'all', body: Queues, hasActions: true },
  { path: '/tenants', title: 'tenant.title', icon: 'users', body: Tenants, hasActions: true },
  { path: '/operators', title: 'ops.operators', icon: 'lock', body: Operators, hasActions: true },
  { path: '/trail', title: 'ops.trail', icon: 'history', body: Trail },
];

export function Console({ operator }: { operator: SignedIn }) {
  return (
    <Router base="/ops">
      <Shell side={<Side operator={operator} />}>
        <Switch>
          <Route path="/work/:work_queue/:id">
            {({ work_queue: workQueue, id }) => <WorkItemPage workQueue={plain(workQueue)} id={plain(id)} />}
          </Route>
          {PAGES.map(({ path, body: Body, title, hasActions }) => (
            <Route key={path} path={path}>
              <Page title={t(title)} of={t('place.console')}>
                {hasActions && <LookOnly />}
                <Body />
              </Page>
            </Route>
          ))}
          <Route>
            <Redirect to="/" replace />
          </Route>
        </Switch>
      </Shell>
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

function Side({ operator }: { operator: SignedIn }) {
  const [location] = useLocation();
  const isAt = (path: string): boolean => (path === '/' ? location === '/' : location.startsWith(path));
  const owner = (
    <Owner name={operator.name} {...(operator.access === 'read' && { note: t('opsAccess.read') })}>
      <LanguageSelect isSmall />
      <IconButton icon="door" label={t('own.signOut')} onClick={() => tell(signOut())} />
    </Owner>
  );
  return (
    <SideBar name={t('place.console')} label={t('place.console')} foot={owner}>
      <ul className={nav.list}>
        {PAGES.map(({ path, title, icon }) => (
          <NavEntry key={path} href={path} icon={icon} text={t(title)} isCurrent={isAt(path)} />
        ))}
      </ul>
    </SideBar>
  );
}
