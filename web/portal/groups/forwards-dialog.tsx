/** The forwards of an extension, and whether it is not to be disturbed. */
import { Button, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Forwards } from '../numbers/wire';
import type { Extension } from '../wire';
import classes from '../../shared/forms/form.module.css';

interface ForwardsDialogProps {
  readonly extension: Extension;
  readonly onClose: () => void;
}

export function ForwardsDialog({ extension, onClose }: ForwardsDialogProps) {
  const path = `/instances/${extension.pbx}/extensions/${extension._id}/forwards`;
  const stored = useLoaded(path, () => api.get<Forwards>(path));
  return (
    <Dialog opened onClose={onClose} title={t('portal.forwardsOf', { number: extension.data.id })}>
      <FormError text={stored.error} />
      {stored.value ? <ForwardsForm path={path} forwards={stored.value} onClose={onClose} /> : <div aria-busy="true" />}
    </Dialog>
  );
}

const CASES = ['always', 'busy', 'no_answer'] as const;

interface ForwardsFormProps {
  readonly path: string;
  readonly forwards: Forwards;
  readonly onClose: () => void;
}

function ForwardsForm({ path, forwards, onClose }: ForwardsFormProps) {
  const before = {
    always: forwards.always ?? '',
    busy: forwards.busy ?? '',
    no_answer: forwards.no_answer ?? '',
  };
  const form = useForm(before);
  const [isQuiet, setQuiet] = useState(forwards.do_not_disturb);
  const save = form.submit(async (values) => {
    // Only what was changed here: somebody may be at the telephone at the same time.
    const changed = CASES.filter((name) => values[name] !== before[name]).map((name) => [name, values[name]]);
    const body = {
      ...Object.fromEntries(changed),
      ...(isQuiet === forwards.do_not_disturb ? {} : { do_not_disturb: isQuiet }),
    };
    await api.patch(path, body, PBX_DEADLINE_MS);
    toast(t('settings.saved'));
    onClose();
  });
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <Switch
        label={t('portal.doNotDisturb')}
        checked={isQuiet}
        onChange={(event) => setQuiet(event.currentTarget.checked)}
      />
      {CASES.map((name) => (
        <TextInput key={name} label={t(`portal.forward.${name}`)} type="tel" {...form.input(name)} />
      ))}
      <small>{t(forwards.source === 'pbx' ? 'portal.forwardsByPhone' : 'portal.forwardsHint')}</small>
      <FormError text={form.error} />
      <div className={classes.actions}>
        <Button type="submit" loading={form.isBusy}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  );
}
