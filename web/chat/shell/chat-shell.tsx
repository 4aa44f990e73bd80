/** The frame of the chat: side bar, view, people and dialogs. */
import { memo, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { lazyPart, loadPart } from '../../shared/lazy-part';
import { Shell } from '../../shared/shell/shell';
import { NotYet } from '../offline/not-yet';
import { DropArea } from '../compose/drop-area';
import { targetOfHash } from '../data/links';
import { Inbox } from '../inbox/inbox';
import { useKeyboard } from '../keyboard/use-keyboard';
import { View } from '../views/view';
import { Banner } from '../notices/banner';
import { DialogHost } from '../dialogs/dialog-host';
import { LiveRegion } from '../notices/announce';
import { PeoplePanel } from '../people/people-panel';
import { ChatSide } from '../side/chat-side';
import { followLink } from '../topics/follow-link';

const Settings = lazyPart(() => import('../settings/settings'), 'Settings');
const Welcome = lazyPart(() => import('../people/welcome'), 'Welcome');
const Recent = lazyPart(() => import('../recent/recent'), 'Recent');
const ScheduledPage = lazyPart(() => import('../scheduled/scheduled-page'), 'ScheduledPage');
const Shared = lazyPart(() => import('../offline/shared'), 'Shared');
const Directory = lazyPart(() => import('../settings/directory'), 'Directory');

/** Other parts load after this delay, so that they do not slow the first conversation. */
const LATER_MS = 700;

export function ChatShell() {
  const [location] = useLocation();
  useKeyboard();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let stop = (): void => undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      setSettled(true);
      void loadPart(() => import('./later')).then((later) => {
        if (isOver) return;
        const stops = [
          later.startDraftSync(),
          later.startScheduledSync(),
          later.startKeeping(),
          later.heedChatPushes(),
        ];
        stop = () => stops.forEach((each) => each());
        void later.tellTimeZone();
        later.registerWorker('/');
      });
    }, LATER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  useEffect(() => {
    const target = location === '/' ? targetOfHash(window.location.hash) : undefined;
    if (target) followLink(target, { replace: true });
  }, [location]);
  return (
    <Shell side={<ChatSide />} around={<Around isSettled={isSettled} />}>
      <Banner />
      <Suspense fallback={<NotYet />}>
        <Switch>
          <Route path="/settings/:page?/:id?">{({ page, id }) => <Settings page={page} id={id} />}</Route>
          <Route path="/streams/:id?">{({ id }) => <Directory id={id} />}</Route>
          <Route path="/welcome">
            <Welcome />
          </Route>
          <Route path="/">
            <Inbox />
          </Route>
          <Route path="/recent">
            <Recent />
          </Route>
          <Route path="/scheduled">
            <ScheduledPage />
          </Route>
          <Route path="/share">
            <Shared />
          </Route>
          <Route path="/inbox">
            <Redirect to="/" />
          </Route>
          <Route>
            <View path={location} />
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}

/** What is the same in all views is not drawn again with each. */
const Around = memo(function Around({ isSettled }: { isSettled: boolean }) {
  return (
    <>
      <PeoplePanel isWanted={isSettled} />
      <DialogHost />
      <DropArea />
      <LiveRegion />
    </>
  );
});
