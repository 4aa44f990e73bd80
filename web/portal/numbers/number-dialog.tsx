/** Adds a number, or leads it somewhere else. If the PBX refuses, the form keeps its values. */
import { Button, TextInput } from '@mantine/core';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { DestinationSelect, readDestination, writeDestination, type Choices } from './destinations';
import type { OutsideNumber } from './wire';
import classes from '../../shared/forms/form.module.css';

interface NumberDialogProps {
  readonly path: string;
  readonly number: OutsideNumber | undefined;
  readonly choices: Choices | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

export function NumberDialog({ path, number, choices, onSaved, onClose }: NumberDialogProps) {
  const form = useForm({
    number: number?.number ?? '',
    name: number?.name ?? '',
    destination: writeDestination(number?.destination ?? null),
  });
  const save = form.submit(async ({ number: text, name, destination: written }) => {
    const body = { name, destination: readDestination(written) ?? undefined };
    if (number) await api.patch(`${path}/${number.id}`, body, PBX_DEADLINE_MS);
    else await api.post(path, { ...body, number: text }, PBX_DEADLINE_MS);
    toast(t('settings.saved'));
    await onSaved();
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={number ? t('portal.editNumber', { number: number.number }) : t('portal.addNumber')}
    >
      <form className={classes.form} onSubmit={save} noValidate>
        {!number && (
          <TextInput
            label={t('portal.number')}
            description={t('portal.outsideNumberHint')}
            type="tel"
            data-autofocus
            {...form.input('number')}
          />
        )}
        <TextInput label={t('portal.name')} {...form.input('name')} />
        <DestinationSelect label={t('portal.leadsTo')} choices={choices} {...form.choice('destination')} />
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
