/** PBXs, carriers, webhooks and the mail server: how the last calls to each went, those that fail first. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { useLive } from '../data/use-live';
import { Empty, Trouble } from '../shell/parts';
import { useMayChange } from '../session/session';
import { ConnectDialog } from './connect-dialog';
import { FarEndTable } from './far-end-table';
import { FAR_END_KINDS, FAR_END_STATES, type FarEndForm, type FarEndsAnswer } from './wire';
import forms from '../../shared/forms/form.module.css';
import classes from '../shell/parts.module.css';

const MOST = 200;

interface Wanted {
  readonly kind: string;
  readonly state: string;
  readonly search: string;
}

export function FarEnds() {
  const [wanted, setWanted] = useState<Wanted>({ kind: '', state: '', search: '' });
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value.trim() !== ''));
  const { answer, error, reload } = useLive<FarEndsAnswer>('/far-ends', { ...given, limit: MOST });
  const choose = (change: Partial<Wanted>): void => setWanted((before) => ({ ...before, ...change }));
  return (
    <>
      <Trouble error={error} />
      {answer && <Connecting kinds={answer.kinds} after={reload} />}
      <div role="search" aria-label={t('farEnd.search')} className={classes.search}>
        <NativeSelect
          label={t('tenant.kind')}
          data={[
            { value: '', label: t('farEnd.every') },
            ...FAR_END_KINDS.map((value) => ({ value, label: t(`farEnd.${value}`) })),
          ]}
          value={wanted.kind}
          onChange={(event) => choose({ kind: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('ops.state')}
          data={[
            { value: '', label: t('ops.everyState') },
            ...FAR_END_STATES.map((value) => ({ value, label: t(`farEndState.${value}`) })),
          ]}
          value={wanted.state}
          onChange={(event) => choose({ state: event.currentTarget.value })}
        />
        <TextInput
          label={t('farEnd.part')}
          value={wanted.search}
          onChange={(event) => choose({ search: event.currentTarget.value })}
        />
      </div>
      {answer?.total === 0 && <Empty>{t('farEnd.none')}</Empty>}
      {answer && answer.total > 0 && <FarEndTable farEnds={answer.far_ends} kinds={answer.kinds} after={reload} />}
      {answer && answer.total > MOST && <Empty>{t('farEnd.more', { count: answer.total - MOST })}</Empty>}
    </>
  );
}

function Connecting({ kinds, after }: { kinds: readonly FarEndForm[]; after: () => void }) {
  const mayChange = useMayChange();
  const [open, setOpen] = useState<FarEndForm>();
  if (!mayChange) return null;
  return (
    <div className={`${forms.actions} ${classes.tools}`}>
      {kinds.map((form) => (
        <Button key={form.kind} onClick={() => setOpen(form)}>
          {t(`farEndConnect.${form.kind}`)}
        </Button>
      ))}
      {open && <ConnectDialog form={open} onClose={() => setOpen(undefined)} after={after} />}
    </div>
  );
}
