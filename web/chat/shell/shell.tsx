/** The frame of the chat: sidebar, view, people and dialogs. */
import { memo, Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { lazyPart, loadPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { pathOfHash } from '../data/links';
import { useKeyboard } from '../keyboard/use-keyboard';
import { View } from '../views/view';
import { Banner } from '../notices/banner';
import { toggleSide, useShown } from '../dialogs/dialogs';
import { DialogHost } from '../dialogs/dialog-host';
import { LiveRegion } from '../notices/announce';
import { PeoplePanel } from '../people/people-panel';
import { SideBar } from '../side/side-bar';
import classes from './shell.module.css';

const Settings = lazyPart(() => import('../settings/settings'), 'Settings');
const Directory = lazyPart(() => import('../settings/directory'), 'Directory');

/** Other parts load after this delay, so that they do not slow the first conversation. */
const LATER_MS = 700;

export function Shell() {
  const [location, go] = useLocation();
  // Not the whole state, which changes with every view.
  const isSideOpen = useShown((state) => state.isSideOpen);
  const isPeopleOpen = useShown((state) => state.isPeopleOpen);
  useKeyboard();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(true);
      void loadPart(() => import('./later'));
    }, LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => toggleSide(false), [location]);
  useEffect(() => {
    const path = location === '/' ? pathOfHash(window.location.hash) : undefined;
    if (path !== undefined) go(path, { replace: true });
  }, [location, go]);
  return (
    <div className={classes.shell} data-side={isSideOpen || undefined} data-people={isPeopleOpen || undefined}>
      <a className={classes.skip} href="#messages">
        {t('skip')}
      </a>
      <SideBar />
      {isSideOpen && (
        <button
          type="button"
          className={classes.shade}
          aria-label={t('action.close')}
          onClick={() => toggleSide(false)}
        />
      )}
      <div className={classes.middle}>
        <Banner />
        <Suspense fallback={<div aria-busy="true" />}>
          <Switch>
            <Route path="/settings/:page?">{({ page }) => <Settings page={page} />}</Route>
            <Route path="/streams/:id?">{({ id }) => <Directory id={id} />}</Route>
            <Route path="/inbox">
              <Redirect to="/" />
            </Route>
            <Route>
              <View path={location} />
            </Route>
          </Switch>
        </Suspense>
      </div>
      <Around isSettled={isSettled} />
    </div>
  );
}

/** What is the same in all views is not drawn again with each. */
const Around = memo(function Around({ isSettled }: { isSettled: boolean }) {
  return (
    <>
      <PeoplePanel isWanted={isSettled} />
      <DialogHost />
      <LiveRegion />
    </>
  );
});
