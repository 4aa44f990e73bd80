/** What is wrong, in words, with what to do; what is right can be looked at too. */
import { t } from '../../shared/texts/texts';
import { State } from '../shell/parts';
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

/** The words are the server's, as `doctor` prints them. */
function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className={classes.findings}>
      {findings.map(({ check, level, says, advice }) => (
        <li key={check} data-level={level}>
          <State state={level}>{t(`opsLevel.${level}`)}</State>{' '}
          <span lang="en">
            {check}: {says}
          </span>
          {advice !== null && <p lang="en">{advice}</p>}
        </li>
      ))}
    </ul>
  );
}
