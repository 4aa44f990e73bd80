/** How long the company keeps its calls and their recordings: the owner says it. */
import { Button, TextInput } from '@mantine/core';
import { FormError, Section } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { CallRetention } from './wire';
import classes from '../../shared/forms/form.module.css';

const PATH = '/calls/retention';

export function Retention() {
  const { value, error } = useLoaded('call retention', () => api.get<CallRetention>(PATH));
  return (
    <Section title={t('portal.calls.retention')} hint={t('portal.calls.retentionHint')}>
      <FormError text={error} />
      {value && <RetentionForm kept={value} />}
    </Section>
  );
}

const shown = (days: number | null): string => String(days ?? '');
const sent = (days: string): number | null => (days === '' ? null : Number(days));

function RetentionForm({ kept }: { kept: CallRetention }) {
  const form = useForm({
    keep_days: shown(kept.keep_days),
    keep_recordings_days: shown(kept.keep_recordings_days),
  });
  const save = form.submit(async ({ keep_days: calls, keep_recordings_days: recordings }) => {
    await api.patch(PATH, { keep_days: sent(calls), keep_recordings_days: sent(recordings) });
    toast(t('settings.saved'));
  });
  const days = { type: 'number', min: 1, max: 3650 } as const;
  return (
    <form className={classes.form} onSubmit={save}>
      <div className={classes.pair}>
        <TextInput label={t('portal.calls.keepDays')} {...days} {...form.input('keep_days')} />
        <TextInput label={t('portal.calls.keepRecordingsDays')} {...days} {...form.input('keep_recordings_days')} />
      </div>
      <FormError text={form.error} />
      <div>
        <Button type="submit" loading={form.isBusy}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
