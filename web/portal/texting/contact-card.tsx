/** The other person's number and name. */
import { Button, TextInput } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { FormError } from '../../shared/forms/section';
import { useForm } from '../../shared/forms/use-form';
import { api } from '../http/api';
import { loadConversation } from './inbox';
import type { TextingContact } from './wire';
import classes from '../../shared/forms/form.module.css';

interface ContactCardProps {
  readonly contact: TextingContact;
  readonly conversationId: string;
  readonly onClose: () => void;
}

export function ContactCard({ contact, conversationId, onClose }: ContactCardProps) {
  const form = useForm({ first_name: contact.first_name, last_name: contact.last_name });
  const save = form.submit(async (values) => {
    await api.patch(`/texting/contacts/${contact.id}`, values);
    await loadConversation(conversationId);
    onClose();
  });
  return (
    <Dialog opened onClose={onClose} title={contact.number}>
      <form className={classes.form} onSubmit={save}>
        <TextInput label={t('portal.firstName')} data-autofocus {...form.input('first_name')} />
        <TextInput label={t('portal.lastName')} {...form.input('last_name')} />
        <FormError text={form.error} />
        <div>
          <Button type="submit" loading={form.isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
