/** The settings: the user's own first, then the organisation's for administrators. */
import { Suspense, type ComponentType } from 'react';
import { Redirect } from 'wouter';
import { lazyPart } from '../../shared/lazy-part';
import { NavEntry } from '../../shared/shell/nav';
import { Head } from '../../shared/shell/head';
import { t, type TextKey } from '../../shared/texts/texts';
import type { IconName } from '../../shared/ui/icon';
import { useIsAdmin } from '../data/store';
import { useMay } from '../admin/rights';
import { useTitle } from '../notices/title';
import { SearchBox } from '../views/search-box';
import { Account } from './account';
import { AppearancePage } from './appearance-page';
import { Bots } from './bots';
import { Profile } from './profile';
import { Sessions } from './sessions';
import nav from '../../shared/shell/nav.module.css';
import views from '../views/view.module.css';
import classes from './settings.module.css';

interface Page {
  readonly title: TextKey;
  readonly icon: IconName;
  /** The id is that of a thing on this page. */
  readonly body: ComponentType<{ readonly id?: string | undefined }>;
  readonly isForAdmins?: boolean;
  /** Only for those who may invite people. */
  readonly isForInviting?: boolean;
}

const Notifications = lazyPart(() => import('./notifications'), 'Notifications');
const Files = lazyPart(() => import('./files'), 'Files');
const TopicsPage = lazyPart(() => import('../topics/topics-page'), 'TopicsPage');
const People = lazyPart(() => import('../admin/people'), 'People');
const Organisation = lazyPart(() => import('../admin/organisation'), 'Organisation');
const SignInMethods = lazyPart(() => import('../admin/sign-in-methods'), 'SignInMethods');
const Linkifiers = lazyPart(() => import('../admin/linkifiers'), 'Linkifiers');
const CustomEmojiPage = lazyPart(() => import('../admin/custom-emoji'), 'CustomEmojiPage');
const Invitations = lazyPart(() => import('../people/invitations/invitations'), 'Invitations');
const Groups = lazyPart(() => import('../people/groups/groups'), 'Groups');
const AlertWords = lazyPart(() => import('./alert-words'), 'AlertWords');
const MutedPeople = lazyPart(() => import('./muted-people'), 'MutedPeople');
const StreamFolders = lazyPart(() => import('../admin/stream-folders'), 'StreamFolders');
const ProfileFields = lazyPart(() => import('../admin/profile-fields'), 'ProfileFields');

const PAGES: Readonly<Record<string, Page>> = {
  profile: { title: 'profile.title', icon: 'users', body: Profile },
  account: { title: 'account.title', icon: 'settings', body: Account },
  notifications: { title: 'notifications.title', icon: 'bell', body: Notifications },
  words: { title: 'alertWords.title', icon: 'bell', body: AlertWords },
  topics: { title: 'topics.title', icon: 'hash', body: TopicsPage },
  muted: { title: 'mutedPeople.title', icon: 'eye', body: MutedPeople },
  appearance: { title: 'appearance.title', icon: 'eye', body: AppearancePage },
  sessions: { title: 'sessions.title', icon: 'door', body: Sessions },
  files: { title: 'files.title', icon: 'file', body: Files },
  bots: { title: 'bots.title', icon: 'bot', body: Bots },
  groups: { title: 'groups.title', icon: 'users', body: Groups },
  invitations: { title: 'invite.page', icon: 'mail', body: Invitations, isForInviting: true },
  people: { title: 'people.title', icon: 'users', body: People, isForAdmins: true },
  organisation: { title: 'organisation.title', icon: 'shield', body: Organisation, isForAdmins: true },
  'sign-in': { title: 'methods.title', icon: 'lock', body: SignInMethods, isForAdmins: true },
  folders: { title: 'folders.title', icon: 'folder', body: StreamFolders, isForAdmins: true },
  linkifiers: { title: 'linkifiers.title', icon: 'link', body: Linkifiers, isForAdmins: true },
  emoji: { title: 'customEmoji.title', icon: 'smile', body: CustomEmojiPage },
  fields: { title: 'fields.title', icon: 'edit', body: ProfileFields, isForAdmins: true },
};

export function Settings({ page: name, id }: { page: string | undefined; id: string | undefined }) {
  const isAdmin = useIsAdmin();
  const mayInvite = useMay('invite_to_realm_policy');
  const isFor = (each: Page): boolean => (isAdmin || !each.isForAdmins) && (mayInvite || !each.isForInviting);
  const page = name !== undefined && Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  useTitle(page ? `${t(page.title)} · ${t('settings.title')}` : t('settings.title'));
  if (!page || !isFor(page)) return <Redirect to="/settings/profile" replace />;
  const Body = page.body;
  const shown = Object.entries(PAGES).filter(([, each]) => isFor(each));
  return (
    <>
      <Head>
        <div className={views.title}>
          <b>{t('settings.title')}</b>
        </div>
        <SearchBox query="" />
      </Head>
      <main className={classes.settings} id="main" tabIndex={-1}>
        <nav className={classes.nav} aria-label={t('settings.title')}>
          <ul className={nav.list}>
            {shown.map(([path, { title, icon }]) => (
              <NavEntry key={path} href={`/settings/${path}`} icon={icon} text={t(title)} isCurrent={path === name} />
            ))}
          </ul>
        </nav>
        <div className={classes.page}>
          <h1>{t(page.title)}</h1>
          <Suspense fallback={<div aria-busy="true" />}>
            <Body id={id} />
          </Suspense>
        </div>
      </main>
    </>
  );
}
