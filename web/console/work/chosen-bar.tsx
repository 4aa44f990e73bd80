/** What can be done with all chosen rows at once. */
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { numberOf } from '../data/amounts';
import type { Remedy, Work, WorkQueue } from '../data/wire';
import { Action } from '../shell/parts';
import { pathOf, remediesFor } from './remedies';
import forms from '../../shared/forms/form.module.css';
import classes from '../shell/parts.module.css';

interface ChosenBarProps {
  readonly chosen: readonly Work[];
  readonly workQueues: readonly WorkQueue[];
  readonly after: () => void;
}

export function ChosenBar({ chosen, workQueues, after }: ChosenBarProps) {
  if (chosen.length === 0) return null;
  const queueOf = (item: Work) => workQueues.find(({ name }) => name === item.work_queue);
  const able = (remedy: Remedy): Work[] => chosen.filter((item) => remediesFor(item, queueOf(item)).includes(remedy));
  return (
    <div className={`${forms.actions} ${classes.tools}`}>
      <span>{t('ops.chosenCount', { count: chosen.length, number: numberOf(chosen.length) })}</span>
      {(['retry', 'discard'] as const).map((remedy) => {
        const items = able(remedy);
        if (items.length === 0) return null;
        const count = numberOf(items.length);
        return (
          <Action
            key={remedy}
            label={t(`remedy.${remedy}`)}
            of={count}
            run={() => mend(items, remedy)}
            done={t('ops.doneCount', { number: count })}
            after={after}
            {...(remedy === 'discard' && { question: t('ops.discardChosen', { number: count }) })}
          />
        );
      })}
    </div>
  );
}

/** One after the other: each has an entry of its own in the audit trail. */
async function mend(items: readonly Work[], remedy: Remedy): Promise<void> {
  for (const item of items) await ops.post(`/jobs${pathOf(item)}/${remedy}`);
}
