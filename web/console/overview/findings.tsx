/** Lists problems with advice. Passed checks can be expanded. */
import { Link } from 'wouter';
import { t, type TextKey } from '../../shared/texts/texts';
import { serverWords } from '../data/server-words';
import { State } from '../shell/parts';
import { ServerText } from '../shell/server-text';
import type { Finding } from './wire';
import classes from './chart.module.css';

export function Findings({ findings }: { findings: readonly Finding[] }) {
  const wrong = findings.filter(({ level }) => level !== 'ok');
  const right = findings.filter(({ level }) => level === 'ok');
  return (
    <section aria-label={t('ops.findings')}>
      {wrong.length === 0 && <p>{t('ops.allRight')}</p>}
      <FindingList findings={wrong} />
      <details className={classes.checks}>
        <summary>{t('ops.rightChecks', { number: right.length })}</summary>
        <FindingList findings={right} />
      </details>
    </section>
  );
}

/** The console page on which a problem can be fixed. */
const PLACES: Readonly<Partial<Record<string, { readonly href: string; readonly title: TextKey }>>> = {
  queues: { href: '/queues', title: 'ops.queues' },
  waiting: { href: '/queues', title: 'ops.queues' },
  workers: { href: '/queues', title: 'ops.queues' },
  pbx: { href: '/connections', title: 'farEnd.title' },
  carrier: { href: '/connections', title: 'farEnd.title' },
  webhook: { href: '/connections', title: 'farEnd.title' },
  mail: { href: '/connections', title: 'farEnd.title' },
  'far-ends': { href: '/connections', title: 'farEnd.title' },
  'dead-letters': { href: '/work', title: 'ops.work' },
};

function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className={classes.findings}>
      {findings.map(({ check, level, about, says, advice }) => (
        <li key={`${check} ${about ?? ''}`} data-level={level}>
          <State state={level}>{t(`opsLevel.${level}`)}</State> <b>{serverWords(check)}</b>:{' '}
          {about !== null && `${about}: `}
          <ServerText text={says} />
          {advice !== null && (
            <p>
              <ServerText text={advice} />
              {PLACES[check] && <Link href={PLACES[check].href}>{t(PLACES[check].title)}</Link>}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
