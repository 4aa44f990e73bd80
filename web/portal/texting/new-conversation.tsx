/** Starts a conversation with a telephone number. */
import { Button, Select, TextInput } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Note } from '../../shared/ui/note';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Conversation } from './wire';
import classes from '../../shared/forms/form.module.css';

interface TextNumber {
  readonly number: string;
  readonly name: string;
}

export function NewConversation({ onBegun, onClose }: { onBegun: (id: string) => void; onClose: () => void }) {
  const numbers = useLoaded('numbers', () => api.list<TextNumber>('/texting/numbers'));
  const form = useForm({ 'recipients.0': '', from_number: '' });
  const from = form.values.from_number || (numbers.value?.items[0]?.number ?? '');
  const begin = form.submit(async (values) => {
    const recipients = [values['recipients.0'].replaceAll(/[\s()-]/g, '')];
    const body = { recipients, ...(from === '' ? {} : { from_number: from }) };
    onBegun((await api.post<Conversation>('/texting/conversations', body)).id);
  });
  return (
    <Dialog opened onClose={onClose} title={t('portal.newConversation')}>
      <form className={classes.form} onSubmit={begin} noValidate>
        <TextInput
          label={t('portal.toNumber')}
          placeholder="+15550100003"
          inputMode="tel"
          data-autofocus
          {...form.input('recipients.0')}
        />
        <Select
          label={t('portal.fromNumber')}
          data={(numbers.value?.items ?? []).map(({ number, name }) => ({ value: number, label: `${number} ${name}` }))}
          allowDeselect={false}
          {...form.choice('from_number')}
          value={from === '' ? null : from}
        />
        {numbers.value?.items.length === 0 && <Note>{t('portal.noNumber')}</Note>}
        <FormError text={form.error || numbers.error} />
        <div>
          <Button type="submit" loading={form.isBusy} disabled={from === ''}>
            {t('portal.begin')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
