/** The message to show for an error. */
import { refusalText } from '../texts/refusals';
import { t } from '../texts/texts';
import { RequestError } from './request';

export function messageOf(error: unknown): string {
  if (error instanceof RequestError && error.status === 0) return t('error.offline');
  if (error instanceof RequestError && error.status === 429) return t('error.tooFast');
  if (error instanceof RequestError) return refusalText(error.message);
  return error instanceof Error ? error.message : String(error);
}
