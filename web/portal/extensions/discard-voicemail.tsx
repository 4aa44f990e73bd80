/** Some changes delete the messages in a mailbox of the PBX. The server refuses them until the user has confirmed that. */
import { Checkbox } from '@mantine/core';
import type { Form } from '../../shared/forms/use-form';
import { RequestError } from '../../shared/http/request';
import { t } from '../../shared/texts/texts';
import type { Values } from './extension-values';

const FIELD = 'discard_voicemail';
const REFUSAL = `${FIELD}: `;

export const isOfMessages = (detail: string): boolean => detail.startsWith(REFUSAL);

export const wouldDiscard = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.status === 400 && isOfMessages(error.message);

/** What the refusal says of the loss. */
export const lossIn = ({ message }: RequestError): string => message.slice(REFUSAL.length);

export const confirmed = (path: string): string => `${path}?${FIELD}=true`;

/** Appears once the server has refused the change. */
export function DiscardVoicemail({ form }: { form: Form<Values> }) {
  const { value, error } = form.input(FIELD);
  if (error === undefined && value === '') return null;
  return (
    <Checkbox
      label={t('portal.discardVoicemail')}
      checked={value !== ''}
      error={error}
      onChange={(event) => form.set(FIELD, event.currentTarget.checked ? 'true' : '')}
    />
  );
}
